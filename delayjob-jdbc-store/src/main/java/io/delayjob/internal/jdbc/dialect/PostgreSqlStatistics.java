package io.delayjob.internal.jdbc.dialect;

final class PostgreSqlStatistics extends StatisticsSql {

    @Override
    public String insertMinutes() {
        return """
                INSERT INTO {minute} (minute_at, owner, name, %s)
                SELECT b.minute_at, :owner, b.name, %s
                FROM {minutes}
                ON CONFLICT DO NOTHING
                """.formatted(NUMBERS, NUMBERS_OF_BATCH);
    }

    @Override
    public String sumUpHour() {
        return "INSERT INTO {minute} (minute_at, owner, name, %s)\n%sON CONFLICT DO NOTHING\n"
                .formatted(NUMBERS, SUMS_OF_HOUR);
    }
}
