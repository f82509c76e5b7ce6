#!/bin/sh
set -e
cat >/app/report.sql <<'SQL'
-- Sales per region in January 2025. Items and refunds are summed by order first: joined together they would multiply.
WITH members AS (
  SELECT id, coalesce(nullif(region, ''), 'other') AS region FROM customers
),
counted AS (
  SELECT o.id, o.customer_id, m.region,
         coalesce((SELECT sum(quantity * price_cents) FROM items WHERE order_id = o.id), 0)
           - coalesce((SELECT sum(amount_cents) FROM refunds WHERE order_id = o.id), 0) AS net
  FROM orders o JOIN members m ON m.id = o.customer_id
  WHERE o.status = 'paid' AND o.placed_at >= '2025-01-01 00:00:00' AND o.placed_at < '2025-02-01 00:00:00'
),
sales AS (
  SELECT region, count(DISTINCT customer_id) AS customers, count(*) AS orders, sum(net) AS net FROM counted GROUP BY region
),
ranked AS (
  SELECT c.region, i.product, row_number() OVER (PARTITION BY c.region ORDER BY sum(i.quantity) DESC, i.product) AS place
  FROM counted c JOIN items i ON i.order_id = c.id
  GROUP BY c.region, i.product
)
SELECT r.region AS region,
       coalesce(s.customers, 0) AS customers,
       coalesce(s.orders, 0) AS orders,
       coalesce(s.net, 0) AS net_cents,
       -- Whole numbers only, so that it is exact: half up for the amount, then its sign.
       CASE WHEN s.net < 0 THEN -((-2 * s.net + s.orders) / (2 * s.orders)) ELSE (2 * s.net + s.orders) / (2 * s.orders) END
         AS average_cents,
       b.product AS best_product
FROM (SELECT DISTINCT region FROM members) r
LEFT JOIN sales s ON s.region = r.region
LEFT JOIN ranked b ON b.region = r.region AND b.place = 1
ORDER BY net_cents DESC, r.region;
SQL
