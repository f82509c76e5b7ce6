INSERT INTO customers VALUES (1, 'Ada', 'north'), (2, 'Bo', 'south'), (3, 'Cy', NULL), (4, 'Di', 'north');
INSERT INTO orders VALUES
  (10, 1, '2025-01-05 10:00:00', 'paid'), (11, 1, '2025-01-31 23:59:59', 'paid'),
  (12, 2, '2025-02-01 00:00:00', 'paid'), (13, 2, '2025-01-10 09:00:00', 'cancelled'),
  (14, 3, '2025-01-20 12:30:00', 'paid'), (15, 4, '2025-01-02 08:00:00', 'open');
INSERT INTO items VALUES
  (10, 'tea', 2, 450), (10, 'cup', 1, 1200), (11, 'tea', 1, 450), (12, 'pot', 1, 3000), (13, 'pot', 1, 3000),
  (14, 'tea', 10, 425), (15, 'cup', 3, 1200);
INSERT INTO refunds VALUES (10, 450), (10, 100), (13, 3000);
