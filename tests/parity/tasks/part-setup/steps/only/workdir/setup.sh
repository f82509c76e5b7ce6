echo prepared >prepared
