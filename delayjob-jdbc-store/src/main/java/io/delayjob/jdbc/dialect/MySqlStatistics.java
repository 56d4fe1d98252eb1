package io.delayjob.jdbc.dialect;

/**
 * Statistics in MySQL and MariaDB. The statements do not use {@code INSERT IGNORE}. If a name is too long or a sum is
 * too large, {@code INSERT IGNORE} would write a changed value and report no error.
 */
final class MySqlStatistics extends StatisticsSql {

    private static final String KEEP_EXISTING = "ON DUPLICATE KEY UPDATE owner = VALUES(owner)";

    @Override
    public String insertMinutes() {
        return """
                INSERT INTO {minute} (minute_at, owner, name, %s)
                SELECT b.minute_at, :owner, b.name, %s
                FROM {minutes}
                %s
                """.formatted(NUMBERS, NUMBERS_OF_BATCH, KEEP_EXISTING);
    }

    @Override
    public String sumUpHour() {
        return "INSERT INTO {minute} (minute_at, owner, name, %s)\n%s%s"
                .formatted(NUMBERS, SUMS_OF_HOUR, KEEP_EXISTING);
    }
}
