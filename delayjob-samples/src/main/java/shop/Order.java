package shop;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order, with the values of its row at the time when the row was read.
 *
 * @param payBy the time at which an unpaid order is cancelled
 * @param endedAt {@code null} before the order is paid or cancelled
 * @param trackingNo the parcel's number; {@code null} before the parcel is shipped
 */
record Order(
        long id,
        Status status,
        Instant placedAt,
        Instant payBy,
        @Nullable Instant endedAt,
        @Nullable String trackingNo) {

    enum Status {
        PLACED,
        PAID,
        CANCELLED
    }
}
