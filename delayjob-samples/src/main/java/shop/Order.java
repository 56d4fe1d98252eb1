package shop;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order as its row stands.
 *
 * @param payBy when it is cancelled, unless it is paid before
 * @param endedAt when it was paid or cancelled; {@code null} while it is neither
 * @param trackingNo the parcel's number, once it is shipped
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
