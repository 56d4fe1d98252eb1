package io.delayjob.internal.jdbc.dialect;

/** Does not use {@code INSERT IGNORE}, which would cut a value that is too long or too large, without an error. */
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
