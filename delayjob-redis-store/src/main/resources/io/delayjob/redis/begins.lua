-- Returns the beginning of each row; an empty text for a row that does not exist.
-- KEYS  the long rows; then the rows
-- ARGV  <maximum number of bytes to return of a row>
return readRows(KEYS[1], 2, tonumber(ARGV[1]))
