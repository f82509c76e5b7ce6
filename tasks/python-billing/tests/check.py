"""Runs billing.py on each case and compares with amounts and days worked out here. The share goes to descriptor 3."""
import json
import os
import random
import subprocess
from decimal import ROUND_HALF_UP, Decimal

LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
held = total = 0


def run(text):
    done = subprocess.run(["/usr/bin/python3", "/app/billing.py"], input=text.encode(), capture_output=True, timeout=20)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def case(name, problem):
    global held, total
    total += 1
    if problem:
        print(f"FAIL: {name}: {problem}")
    else:
        held += 1
        print(f"ok: {name}")


def leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days(start, plan, until):
    year, month, day = map(int, start.split("-"))
    found = []
    while True:
        last = 29 if month == 2 and leap(year) else LENGTHS[month - 1]
        text = f"{year:04d}-{month:02d}-{min(day, last):02d}"
        if text > until or year > 9999:
            return found
        found.append(text)
        if plan == "yearly":
            year += 1
        else:
            month += 1
            if month == 13:
                year, month = year + 1, 1


def expected(data):
    customers = {}
    for entry in data["subscriptions"]:
        amount = Decimal(entry["price"]) * entry.get("seats", 1) * (100 - Decimal(entry.get("discount", "0"))) / 100
        amount = amount.quantize(Decimal("0.01"), ROUND_HALF_UP)
        for due in days(entry["start"], entry["plan"], data["until"]):
            customers.setdefault(entry["customer"], []).append({"due": due, "amount": str(amount)})
    result = []
    for name in sorted(customers):
        found = sorted(customers[name], key=lambda invoice: invoice["due"])
        result.append({"name": name, "total": str(sum(Decimal(i["amount"]) for i in found)), "invoices": found})
    return {"customers": result}


def good(name, until, *entries):
    keys = ["customer", "plan", "start", "price", "seats", "discount"]
    entries = [entry if isinstance(entry, dict) else dict(zip(keys, entry)) for entry in entries]
    data = {"until": until, "subscriptions": entries}
    try:
        code, out, err = run(json.dumps(data))
        if code != 0:
            return case(name, f"exit code {code}: {err.strip()[-150:]}")
        found = json.loads(out)
        want = expected(data)
        if found == want:
            return case(name, None)
        names = [c["name"] for c in found["customers"]]
        if names != [c["name"] for c in want["customers"]]:
            return case(name, f"the customers are {names}"[:200])
        for a, b in zip(want["customers"], found["customers"]):
            if a["invoices"] != b["invoices"]:
                pair = [p for p in zip(a["invoices"] + [None], b["invoices"] + [None]) if p[0] != p[1]]
                return case(name, f"{a['name']}: expected {pair[0][0]}, found {pair[0][1]}" if pair else f"{a['name']}: wrong invoices")
            if a["total"] != b["total"]:
                return case(name, f"{a['name']}: the total is {b['total']}, expected {a['total']}")
        case(name, "something else than the customers is printed")
    except subprocess.TimeoutExpired:
        case(name, "it did not end within 20 seconds")
    except Exception as problem:
        case(name, f"the output is not as described ({type(problem).__name__})")


def bad(name, text, message):
    try:
        code, out, err = run(text if isinstance(text, str) else json.dumps(text))
    except subprocess.TimeoutExpired:
        return case(name, "it did not end within 20 seconds")
    if code != 1 or out:
        return case(name, f"exit code {code}, expected 1 and no output")
    case(name, None if err.strip() == f"billing: {message}" else f"the message is '{err.strip()[-150:]}'")


def wrong(name, field, *changes, position=2):
    right = {"customer": "A", "plan": "monthly", "start": "2025-01-01", "price": "1", "seats": 1, "discount": "0"}
    for change in changes:
        entry = {**right, **change} if change is not None else {k: v for k, v in right.items() if k != field}
        code, out, err = run(json.dumps({"until": "2025-02-01", "subscriptions": [right, entry, {}]}))
        want = f"billing: subscription {position}: the field {field} is not right"
        if code != 1 or out or err.strip() != want:
            return case(name, f"{change}: exit code {code}, message '{err.strip()[-120:]}'")
    case(name, None)


good("the example", "2025-03-31", ("Ada", "monthly", "2025-01-31", "9.99", 3, "12.5"))
good("until counts", "2025-03-15", ("A", "monthly", "2025-01-15", "10"), ("B", "yearly", "2024-03-15", "10"), ("C", "monthly", "2025-03-16", "1"))
good("month ends", "2026-04-30", ("A", "monthly", "2023-12-31", "1"), ("B", "monthly", "2024-01-30", "2"), ("C", "monthly", "2024-02-29", "3"))
good("leap years", "2029-03-01", ("A", "yearly", "2020-02-29", "5"), ("B", "yearly", "2023-02-28", "5"), ("C", "monthly", "2099-12-31", "5"))
good("1900 and 2100", "2101-03-01", ("A", "yearly", "2096-02-29", "5"), ("B", "monthly", "2100-01-31", "5"))
good("rounding up", "2025-01-01", *[(f"c{i}", "monthly", "2025-01-01", price, seats, discount) for i, (price, seats, discount) in enumerate([
    ("1.005", 1, "0"), ("2.675", 1, "0"), ("0.125", 1, "0"), ("0.115", 3, "0"), ("10.05", 1, "50"), ("1.15", 1, "50"), ("0.01", 1, "50"),
    ("0.014", 1, "0"), ("100", 1, "33.335"), ("9.99", 7, "100"), ("8.325", 2, "10"), ("4.35", 100, "0"), ("1.1", 3, "0")])])
good("rounding once", "2025-01-01", ("A", "yearly", "2025-01-01", "0.333", 2, "10"), ("B", "yearly", "2025-01-01", "1.115", 5, "1"))
good("exact totals", "2034-12-31", ("A", "monthly", "2025-01-01", "0.10"), ("B", "monthly", "2025-01-01", "90071992547409.93"))
good("two digits", "2025-01-01", ("A", "monthly", "2025-01-01", "5"), ("B", "monthly", "2025-01-01", "5.5"), ("C", "monthly", "2025-01-01", "0"))
good("customers apart", "2025-03-01", ("B", "monthly", "2025-01-01", "1"), ("a", "monthly", "2025-01-01", "2"), ("C", "monthly", "2026-01-01", "9"))
good("several subscriptions", "2025-03-01", ("A", "monthly", "2025-01-01", "10"), ("B", "yearly", "2025-01-01", "1"),
     ("A", "monthly", "2025-01-01", "9"), ("A", "yearly", "2025-02-01", "2"), ("A", "monthly", "2024-12-15", "100"))
good("order of names", "2025-01-01", *[(n, "monthly", "2025-01-01", "1") for n in ["zoe", "Zoe", "Émile", "adam", "Bob", "日本", "bob "]])
good("defaults", "2025-01-01", {"customer": "A", "plan": "monthly", "start": "2025-01-01", "price": "3"},
     {"customer": "A", "plan": "monthly", "start": "2025-01-01", "price": "3", "discount": "10", "note": "x"})
good("nobody", "2025-01-01")
r = random.Random(20250314)
good("many", "2025-06-30", *[(f"n{r.randrange(20)}", r.choice(["monthly", "yearly"]), f"20{r.randrange(18, 26)}-{r.randrange(1, 13):02d}-{r.randrange(1, 29):02d}",
     f"{r.randrange(200)}.{r.randrange(1000):03d}", r.randrange(1, 9), f"{r.randrange(100)}.{r.randrange(10)}") for _ in range(80)])

wrong("customer", "customer", None, {"customer": ""}, {"customer": 5}, {"customer": None, "plan": "x"})
wrong("plan", "plan", None, {"plan": "weekly"}, {"plan": ["monthly"]}, {"plan": "Monthly", "price": 3})
wrong("start", "start", None, {"start": "2025-02-29"}, {"start": "20250101"}, {"start": "2025-1-1"}, {"start": 5}, {"start": "2025-01-01T00:00"})
wrong("price", "price", None, {"price": 9.5}, {"price": "-1"}, {"price": "1e3"}, {"price": ".5"}, {"price": "1."}, {"price": "NaN"}, {"price": ""}, {"price": " 1"})
wrong("seats", "seats", {"seats": 0}, {"seats": -1}, {"seats": "3"}, {"seats": 1.5}, {"seats": True}, {"seats": None})
wrong("discount", "discount", {"discount": "101"}, {"discount": "100.01"}, {"discount": 5}, {"discount": "-1"}, {"discount": "10%"})
for label, text in [("no JSON", "{"), ("empty input", ""), ("a list", []), ("no until", {"subscriptions": []}),
                    ("wrong until", {"until": "2025-02-30", "subscriptions": []}), ("no list", {"until": "2025-01-01", "subscriptions": {}})]:
    bad(label, text, "the input is not right")

print(f"{held} of {total} cases hold")
os.write(3, (b"1" if held == total else f"{held / total:.4f}".encode()))
