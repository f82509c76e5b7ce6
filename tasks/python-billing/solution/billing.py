"""Works out invoices; see README.md."""
import calendar
import datetime
import json
import re
import sys
from fractions import Fraction


class BadInput(Exception):
    pass


def day(value):
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        raise ValueError(value)
    return datetime.date(int(value[:4]), int(value[5:7]), int(value[8:]))


def number(value):
    if not isinstance(value, str) or not re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
        raise ValueError(value)
    return Fraction(value)


def customer(value):
    if not isinstance(value, str) or not value:
        raise ValueError(value)
    return value


def plan(value):
    if value not in ("monthly", "yearly"):
        raise ValueError(value)
    return value


def seats(value):
    if type(value) is not int or value < 1:
        raise ValueError(value)
    return value


def discount(value):
    percent = number(value)
    if percent > 100:
        raise ValueError(value)
    return percent


FIELDS = {"customer": customer, "plan": plan, "start": day, "price": number, "seats": seats, "discount": discount}
DEFAULTS = {"seats": 1, "discount": "0"}


def read(entry, position):
    fields = {}
    for name, convert in FIELDS.items():
        try:
            if not isinstance(entry, dict):
                raise ValueError(entry)
            fields[name] = convert(entry[name] if name in entry else DEFAULTS[name])
        except (KeyError, TypeError, ValueError):
            raise BadInput(f"subscription {position}: the field {name} is not right") from None
    return fields


def due_dates(start, plan, until):
    """Counted from the start each time, so that a short month does not change the later ones."""
    months = 1 if plan == "monthly" else 12
    count = 0
    while True:
        total = start.year * 12 + start.month - 1 + count * months
        year, month = divmod(total, 12)
        if year > 9999:
            return
        due = datetime.date(year, month + 1, min(start.day, calendar.monthrange(year, month + 1)[1]))
        if due > until:
            return
        yield due
        count += 1


def money(cents):
    return f"{cents // 100}.{cents % 100:02d}"


def main():
    try:
        try:
            data = json.load(sys.stdin)
            until = day(data["until"])
            entries = data["subscriptions"]
            if not isinstance(entries, list):
                raise ValueError(entries)
        except (KeyError, TypeError, ValueError, RecursionError):
            raise BadInput("the input is not right") from None
        subscriptions = [read(entry, i) for i, entry in enumerate(entries, 1)]
    except BadInput as problem:
        print(f"billing: {problem}", file=sys.stderr)
        return 1

    customers = {}
    for entry in subscriptions:
        exact = entry["price"] * entry["seats"] * (100 - entry["discount"])
        cents = (exact + Fraction(1, 2)).__floor__()
        for due in due_dates(entry["start"], entry["plan"], until):
            customers.setdefault(entry["customer"], []).append((due, cents))
    result = []
    for name in sorted(customers):
        found = sorted(customers[name], key=lambda invoice: invoice[0])
        result.append({
            "name": name,
            "total": money(sum(cents for _, cents in found)),
            "invoices": [{"due": str(due), "amount": money(cents)} for due, cents in found],
        })
    print(json.dumps({"customers": result}, indent=2))
    return 0


sys.exit(main())
