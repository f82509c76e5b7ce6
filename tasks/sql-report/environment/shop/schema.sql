CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  placed_at TEXT NOT NULL, -- 'YYYY-MM-DD HH:MM:SS', UTC
  status TEXT NOT NULL     -- open, paid or cancelled
);
CREATE TABLE items (
  order_id INTEGER NOT NULL REFERENCES orders (id),
  product TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  price_cents INTEGER NOT NULL
);
CREATE TABLE refunds (order_id INTEGER NOT NULL REFERENCES orders (id), amount_cents INTEGER NOT NULL);
