package shop;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order, as its row was when it was read.
 *
 * @param payBy the time at which it is cancelled unless it is paid
 * @param endedAt the time at which it was paid or cancelled; {@code null} before that
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
