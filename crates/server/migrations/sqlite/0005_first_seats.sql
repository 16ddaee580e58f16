-- Whoever sits twice at a table finds it once in the archive: at the first seat. So a page is read from the
-- index without sorting out doubles, which took most of the time of a long archive.

UPDATE seat SET begun = 0 WHERE EXISTS (
    SELECT 1 FROM seat AS other
    WHERE other.table_id = seat.table_id AND other.player = seat.player AND other.seat < seat.seat);
