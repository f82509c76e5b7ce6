(sleep 1; touch ready) >/dev/null 2>&1 &
