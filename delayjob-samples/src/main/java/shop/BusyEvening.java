package shop;

import io.delayjob.DelayJobOperations;
import io.delayjob.schedule.RetryPolicy;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Places many orders at once, so that the dashboard has something to show. Most orders are never paid, and the first
 * receipts are refused. At closing time, there are more receipts than the slots can send in a minute.
 */
@Service
class BusyEvening {

    private static final Logger log = LoggerFactory.getLogger(BusyEvening.class);

    /** Out of every {@code PAID} orders, one order is paid immediately. */
    private static final int PAID = 25;

    private static final Duration CUSTOMERS_STAY = Duration.ofMinutes(10);

    private static final Duration CLOSING_TIME = Duration.ofMinutes(3);

    /** In this time, the slots can send the first receipts, although each refusal takes some time. */
    private static final Duration FIRST_RECEIPTS_TAKE = Duration.ofSeconds(10);

    private static final Duration RECEIPTS_TAKE = Duration.ofSeconds(20);

    /** The delay is short, so that dead letters appear within seconds. */
    private static final RetryPolicy ONCE_MORE = RetryPolicy.gaps(Duration.ofSeconds(3));

    private final OrderBook orders;
    private final DelayJobOperations jobs;
    private final Tracking tracking;
    private final ShopProperties shop;
    private final Clock clock;

    BusyEvening(OrderBook orders, DelayJobOperations jobs, Tracking tracking, ShopProperties shop, Clock clock) {
        this.orders = orders;
        this.jobs = jobs;
        this.tracking = tracking;
        this.shop = shop;
        this.clock = clock;
    }

    @Transactional
    void begin(int count, URI accountants) {
        Instant firstPayBy = clock.instant().plus(shop.paymentWindow());
        List<Long> unpaid = new ArrayList<>();
        List<Hook> receipts = new ArrayList<>();
        List<Hook> receiptsAtClosing = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long id = orders.write(
                            firstPayBy.plus(CUSTOMERS_STAY.multipliedBy(i).dividedBy(count)))
                    .id();
            Hook receipt = new Hook(accountants.toString(), "{\"receiptOf\":%d}".formatted(id));
            receiptsAtClosing.add(receipt);
            if (i % PAID == 0) {
                orders.pay(id);
                tracking.handedOver(id);
                receipts.add(receipt);
            } else {
                unpaid.add(id);
            }
        }
        jobs.schedule(UnpaidOrders::cancel)
                .withEach(unpaid)
                .key(id -> id)
                .spreadOver(CUSTOMERS_STAY)
                .at(firstPayBy);
        jobs.schedule(Webhooks::send)
                .withEach(receiptsAtClosing)
                .spreadOver(RECEIPTS_TAKE)
                .after(CLOSING_TIME);
        // The receipts come last, because they are due from now on, and start only after the commit.
        jobs.schedule(Webhooks::send)
                .withEach(receipts)
                .retry(ONCE_MORE)
                .spreadOver(FIRST_RECEIPTS_TAKE)
                .now();
        log.info(
                "The shop has a busy evening: {} orders are placed, and {} of them are paid. All receipts are due "
                        + "in {} min.",
                count,
                receipts.size(),
                CLOSING_TIME.toMinutes());
    }
}
