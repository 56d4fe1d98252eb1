package shop;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order, as its row was when it was read.
 *
 * @param payBy the time at which an unpaid order is cancelled
 * @param endedAt {@code null} before the order is paid or cancelled
 * @param trackingNo the parcel's number; {@code null} before it is shipped
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
