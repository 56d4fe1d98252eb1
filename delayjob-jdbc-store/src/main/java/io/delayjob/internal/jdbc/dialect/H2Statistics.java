package io.delayjob.internal.jdbc.dialect;

final class H2Statistics extends StatisticsSql {

    @Override
    public String insertMinutes() {
        return """
                MERGE INTO {minute} m
                USING (SELECT * FROM {minutes}) b
                ON m.minute_at = b.minute_at AND m.owner = :owner AND m.name = b.name
                WHEN NOT MATCHED THEN INSERT (minute_at, owner, name, %s) VALUES (b.minute_at, :owner, b.name, %s)
                """.formatted(NUMBERS, NUMBERS_OF_BATCH);
    }

    @Override
    public String sumUpHour() {
        return """
                MERGE INTO {minute} m
                USING (
                    SELECT minute_at, owner, name, %s
                    FROM (
                %s
                    ) AS sums (minute_at, owner, name, %s)
                ) b
                ON m.minute_at = b.minute_at AND m.owner = b.owner AND m.name = b.name
                WHEN NOT MATCHED THEN INSERT (minute_at, owner, name, %s) VALUES (b.minute_at, b.owner, b.name, %s)
                """.formatted(NUMBERS, SUMS_OF_HOUR, NUMBERS, NUMBERS, NUMBERS_OF_BATCH);
    }
}
