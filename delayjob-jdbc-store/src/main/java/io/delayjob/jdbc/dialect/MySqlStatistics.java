package io.delayjob.jdbc.dialect;

/** Statistics in MySQL and MariaDB. */
final class MySqlStatistics extends StatisticsSql {

    @Override
    public String insertMinutes() {
        return """
                INSERT IGNORE INTO {minute} (minute_at, owner, name, %s)
                SELECT b.minute_at, :owner, b.name, %s
                FROM {minutes}
                """.formatted(NUMBERS, NUMBERS_OF_BATCH);
    }

    @Override
    public String sumUpHour() {
        return "INSERT IGNORE INTO {minute} (minute_at, owner, name, %s)\n%s".formatted(NUMBERS, SUMS_OF_HOUR);
    }
}
