def cut_middle(text: str, limit: int, what: str) -> str:
    """Head and tail of a long text, with a line between them that says what is missing."""
    left_out = len(text) - limit
    if left_out <= 0:
        return text
    head = limit // 2
    tail = len(text) - (limit - head)
    return f"{text[:head]}\n[{left_out} characters of {what} left out here]\n{text[tail:]}"
