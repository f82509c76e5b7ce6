-- Sales per region in January 2025.
SELECT c.region AS region,
       count(c.id) AS customers,
       count(o.id) AS orders,
       sum(i.quantity * i.price_cents) - sum(r.amount_cents) AS net_cents,
       sum(i.quantity * i.price_cents) / count(o.id) AS average_cents,
       max(i.product) AS best_product
FROM customers c
JOIN orders o ON o.customer_id = c.id
JOIN items i ON i.order_id = o.id
JOIN refunds r ON r.order_id = o.id
WHERE o.status <> 'cancelled' AND o.placed_at BETWEEN '2025-01-01' AND '2025-01-31'
GROUP BY c.region
ORDER BY net_cents;
