package shop;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Simulates a parcel service that has the parcel's number only at the third request. */
@Component
class SlowPartner implements Partner {

    private static final Logger log = LoggerFactory.getLogger(SlowPartner.class);

    private final Map<Long, Integer> asked = new ConcurrentHashMap<>();

    @Override
    public Optional<String> trackingNoOf(long orderId) {
        int times = asked.merge(orderId, 1, Integer::sum);
        if (times < 3) {
            log.info(
                    "The shop has asked {} times for the tracking number of order {}, but there is none yet.",
                    times,
                    orderId);
            return Optional.empty();
        }
        asked.remove(orderId);
        return Optional.of("P-%06d".formatted(orderId));
    }
}
