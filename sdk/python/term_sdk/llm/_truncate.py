def truncate_middle(text: str, limit: int, what: str) -> str:
    """The head and tail of a long text, with a line between them that says what is missing."""
    omitted = len(text) - limit
    if omitted <= 0:
        return text
    head = limit // 2
    tail = len(text) - (limit - head)
    return f"{text[:head]}\n[{omitted} characters of {what} omitted here]\n{text[tail:]}"
