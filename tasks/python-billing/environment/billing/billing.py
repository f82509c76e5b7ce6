"""Works out invoices; see README.md."""
import datetime
import json
import sys


def step(date, plan):
    """The due date after this one."""
    if plan == "yearly":
        return date.replace(year=date.year + 1)
    month = date.month + 1
    year = date.year
    if month > 12:
        month = 1
        year += 1
    day = date.day
    while True:
        try:
            return datetime.date(year, month, day)
        except ValueError:
            day -= 1


def invoices(subscription, until, found=[]):
    date = datetime.date.fromisoformat(subscription["start"])
    price = float(subscription["price"])
    seats = subscription.get("seats") or 1
    discount = float(subscription.get("discount", 0))
    amount = round(round(price * seats, 2) * (1 - discount / 100), 2)
    while date < until:
        found.append({"due": str(date), "amount": str(amount)})
        date = step(date, subscription["plan"])
    return found


def main():
    data = json.load(sys.stdin)
    until = datetime.date.fromisoformat(data["until"])
    customers = {}
    for subscription in data["subscriptions"]:
        customers[subscription["customer"]] = invoices(subscription, until)
    result = []
    for name in sorted(customers, key=str.lower):
        found = sorted(customers[name], key=lambda invoice: (invoice["due"], invoice["amount"]))
        total = sum(float(invoice["amount"]) for invoice in found)
        result.append({"name": name, "total": str(total), "invoices": found})
    print(json.dumps({"customers": result}, indent=2))


main()
