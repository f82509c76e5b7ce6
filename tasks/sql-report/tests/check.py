"""Runs report.sql on databases made here and compares with a report worked out in Python. The share goes to descriptor 3."""
import os
import random
import sqlite3
import tempfile

held = total = 0
folder = tempfile.mkdtemp()
statement = open("/app/report.sql", encoding="utf-8", errors="replace").read()
schema = open("/tests/schema.sql").read()
COLUMNS = ["region", "customers", "orders", "net_cents", "average_cents", "best_product"]


def expected(customers, orders, items, refunds):
    region = {c[0]: c[2] or "other" for c in customers}
    rows = {name: [set(), 0, 0, {}] for name in region.values()}
    for number, customer, placed, status in orders:
        if status != "paid" or placed[:7] != "2025-01":
            continue
        row = rows[region[customer]]
        row[0].add(customer)
        row[1] += 1
        for _, product, quantity, price in (i for i in items if i[0] == number):
            row[2] += quantity * price
            row[3][product] = row[3].get(product, 0) + quantity
        row[2] -= sum(r[1] for r in refunds if r[0] == number)
    result = []
    for name, (who, count, net, products) in rows.items():
        average = None
        if count:
            average = (2 * abs(net) + count) // (2 * count) * (-1 if net < 0 else 1)
        best = min(products, key=lambda p: (-products[p], p.encode())) if products else None
        result.append((name, len(who), count, net, average, best))
    return sorted(result, key=lambda row: (-row[3], row[0].encode()))


def check(name, customers, orders=(), items=(), refunds=()):
    global held, total
    total += 1
    path = os.path.join(folder, f"{total}.db")
    made = sqlite3.connect(path)
    made.executescript(schema)
    for table, rows in (("customers", customers), ("orders", orders), ("items", items), ("refunds", refunds)):
        for row in rows:
            made.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(row))})", row)
    made.commit()
    made.close()
    want = expected(customers, orders, items, refunds)
    try:
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        # Ends a statement that never would.
        ticks = [0]

        def tick():
            ticks[0] += 1
            return ticks[0] > 3000

        database.set_progress_handler(tick, 100000)
        cursor = database.execute(statement)
        names = [column[0] for column in cursor.description or []]
        found = cursor.fetchall()
    except (sqlite3.Error, sqlite3.Warning) as problem:
        print(f"FAIL: {name}: {problem}")
        return
    if names != COLUMNS:
        print(f"FAIL: {name}: the columns are {names}")
    elif found != want or [[type(v) for v in row] for row in found] != [[type(v) for v in row] for row in want]:
        pair = next((p for p in zip(want + [None], found + [None]) if p[0] != p[1]), (want, found))
        print(f"FAIL: {name}: expected {pair[0]}, found {pair[1]}")
    else:
        held += 1
        print(f"ok: {name}")


J = "2025-01-15 12:00:00"
check("no data", [])
check("no orders", [(1, "A", "north"), (2, "B", None), (3, "C", ""), (4, "D", "other")])
check("several items and refunds", [(1, "A", "n")], [(1, 1, J, "paid")], [(1, "x", 2, 100), (1, "y", 1, 50), (1, "x", 1, 100)], [(1, 30), (1, 20)])
check("no refunds, no items", [(1, "A", "n"), (2, "B", "s")], [(1, 1, J, "paid"), (2, 1, J, "paid"), (3, 2, J, "paid")], [(1, "x", 3, 100)])
check("refund only", [(1, "A", "n"), (2, "B", "s")], [(1, 1, J, "paid"), (2, 2, J, "paid"), (3, 2, J, "paid")], [], [(1, 70), (2, 5)])
check("first and last second", [(1, "A", "n")], [(i, 1, t, "paid") for i, t in enumerate(
    ["2024-12-31 23:59:59", "2025-01-01 00:00:00", "2025-01-31 00:00:00", "2025-01-31 23:59:59", "2025-02-01 00:00:00", "2024-01-10 10:00:00"])],
    [(i, "x", 1, 10 ** i) for i in range(6)])
check("status", [(1, "A", "n")], [(1, 1, J, "paid"), (2, 1, J, "open"), (3, 1, J, "cancelled")], [(1, "x", 1, 5), (2, "y", 9, 7), (3, "z", 9, 9)], [(2, 1), (3, 1)])
check("customers once", [(1, "A", "n"), (2, "A", "n"), (3, "C", "n")], [(i, 1 + i % 2, J, "paid") for i in range(7)], [(i, "x", 1, 3) for i in range(7)])
check("regions without a name", [(1, "A", None), (2, "B", ""), (3, "C", "other"), (4, "D", "Other")], [(i, i, J, "paid") for i in (1, 2, 3, 4)], [(i, "x", i, 7) for i in (1, 2, 3, 4)])
check("averages", [(i, "A", f"r{i}") for i in range(6)], [(10 * i + k, i, J, "paid") for i in range(6) for k in range(2 + i % 3)],
      [(10 * i, "x", 1, 5 + i) for i in range(6)], [(10 * i + 1, 10 if i % 2 else 0) for i in range(6)])
check("large sums", [(1, "A", "n")], [(1, 1, J, "paid"), (2, 1, J, "paid")], [(1, "x", 1000000, 9007199254), (2, "x", 1, 1)])
check("best product", [(1, "A", "n"), (2, "B", "s")], [(1, 1, J, "paid"), (2, 1, J, "paid"), (3, 2, J, "paid")],
      [(1, "tea", 2, 1), (2, "tea", 2, 1), (1, "cup", 3, 900), (2, "pot", 4, 5), (2, "Zebra", 4, 5), (3, "b", 1, 1), (3, "a", 1, 1)])
check("equal sums", [(i, "A", name) for i, name in enumerate(["b", "a", "Z", "é"])], [(i, i, J, "paid") for i in range(4)], [(i, "x", 1, 100) for i in range(4)])
r = random.Random(8)
customers = [(i, f"c{i}", r.choice(["north", "south", "east", "", None, "other", "west"])) for i in range(60)]
orders = [(i, r.randrange(60), f"{r.choice(['2024-12', '2025-01', '2025-01', '2025-01', '2025-02'])}-{r.randrange(1, 29):02d} 0{r.randrange(10)}:00:00", r.choice(["paid", "paid", "open", "cancelled"])) for i in range(400)]
items = [(r.randrange(400), r.choice("tea cup pot jar tin".split()), r.randrange(1, 6), r.randrange(1, 5000)) for _ in range(900)]
refunds = [(r.randrange(400), r.randrange(1, 3000)) for _ in range(150)]
check("many", customers, orders, items, refunds)

print(f"{held} of {total} databases are reported right")
os.write(3, b"1" if held == total else f"{held / total:.4f}".encode())
