package shop;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;

/**
 * Stores each order as a row. A payment or a cancellation changes an order only if the order is still {@code PLACED}.
 * Like every job, {@link #cancelIfUnpaid} may run twice. A second run then changes nothing. If a payment and the
 * cancellation happen at the same time, the first update decides.
 */
@Repository
class OrderBook implements Orders {

    private static final Logger log = LoggerFactory.getLogger(OrderBook.class);

    private static final String INSERT = """
            INSERT INTO orders (status, placed_at, pay_by)
            VALUES ('PLACED', :placedAt, :payBy)""";

    private static final String FIND = """
            SELECT id, status, placed_at, pay_by, ended_at, tracking_no
            FROM orders
            WHERE id = :id""";

    private static final String NEWEST = """
            SELECT id, status, placed_at, pay_by, ended_at, tracking_no
            FROM orders
            ORDER BY id DESC
            LIMIT :limit""";

    private static final String END = """
            UPDATE orders
            SET status = :status, ended_at = :endedAt
            WHERE id = :id AND status = 'PLACED'""";

    private static final String SHIP = """
            UPDATE orders
            SET tracking_no = :trackingNo
            WHERE id = :id""";

    private final JdbcClient jdbc;
    private final Clock clock;

    OrderBook(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    Order place(Duration paymentWindow) {
        Order order = write(now().plus(paymentWindow));
        log.info("Order {} is placed, and must be paid within {} s.", order.id(), paymentWindow.toMillis() / 1000.0);
        return order;
    }

    /** Stores an order. Unlike {@link #place}, this method writes no log line. */
    Order write(Instant payBy) {
        Instant placedAt = now();
        KeyHolder key = new GeneratedKeyHolder();
        jdbc.sql(INSERT)
                .param("placedAt", placedAt, Types.TIMESTAMP_WITH_TIMEZONE)
                .param("payBy", payBy, Types.TIMESTAMP_WITH_TIMEZONE)
                .update(key, "id");
        long id = Objects.requireNonNull(key.getKey()).longValue();
        return new Order(id, Order.Status.PLACED, placedAt, payBy, null, null);
    }

    Optional<Order> find(long id) {
        return jdbc.sql(FIND).param("id", id).query((row, n) -> read(row)).optional();
    }

    List<Order> newest(int limit) {
        return jdbc.sql(NEWEST)
                .param("limit", limit)
                .query((row, n) -> read(row))
                .list();
    }

    /** @return whether the order was still waiting for its payment */
    boolean pay(long id) {
        return end(id, Order.Status.PAID);
    }

    @Override
    public void cancelIfUnpaid(long orderId) {
        end(orderId, Order.Status.CANCELLED);
    }

    @Override
    public void markShipped(long orderId, String trackingNo) {
        jdbc.sql(SHIP).param("id", orderId).param("trackingNo", trackingNo).update();
        log.info("Order {} is shipped with tracking number {}.", orderId, trackingNo);
    }

    private boolean end(long id, Order.Status status) {
        boolean ended = jdbc.sql(END)
                        .param("id", id)
                        .param("status", status.name())
                        .param("endedAt", now(), Types.TIMESTAMP_WITH_TIMEZONE)
                        .update()
                == 1;
        if (ended) {
            log.info("Order {} is {}", id, status);
        }
        return ended;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static Order read(ResultSet row) throws SQLException {
        return new Order(
                row.getLong("id"),
                Order.Status.valueOf(row.getString("status")),
                row.getObject("placed_at", Instant.class),
                row.getObject("pay_by", Instant.class),
                row.getObject("ended_at", Instant.class),
                row.getString("tracking_no"));
    }
}
