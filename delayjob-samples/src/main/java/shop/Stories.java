package shop;

import static java.time.Duration.*;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.Retry;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.schedule.Repeat;
import org.springframework.stereotype.Service;

// 1 cancel an unpaid order after 30 minutes; paying cancels the job
@Service
class UnpaidOrders {
    private final Orders orders;
    private final DelayJobOperations jobs;
    UnpaidOrders(Orders orders, DelayJobOperations jobs) { this.orders = orders; this.jobs = jobs; }

    void placed(long orderId) {
        jobs.schedule(UnpaidOrders::cancel).with(orderId).key(orderId).after(ofMinutes(30));
    }

    void paid(long orderId) {
        jobs.cancel(UnpaidOrders::cancel, orderId);
    }

    @DelayedJob("cancel-unpaid-order")
    void cancel(long orderId) {
        orders.cancelIfUnpaid(orderId);
    }
}

// 2 remind at 1 h, 1 d, 3 d, then stop
@Service
class Reminders {
    private final Mailer mailer;
    private final DelayJobOperations jobs;
    Reminders(Mailer mailer, DelayJobOperations jobs) { this.mailer = mailer; this.jobs = jobs; }

    void signedUp(long customerId) {
        jobs.schedule(Reminders::remind).with(customerId).repeat(Repeat.offsets(ofHours(1), ofDays(1), ofDays(3)));
    }

    @DelayedJob("remind-customer")
    void remind(long customerId, JobContext job) {
        mailer.remind(customerId, job.run());
    }
}

// 3 poll a partner with growing gaps until it answers
@Service
class Tracking {
    private final Partner partner;
    private final Orders orders;
    private final DelayJobOperations jobs;
    Tracking(Partner partner, Orders orders, DelayJobOperations jobs) { this.partner = partner; this.orders = orders; this.jobs = jobs; }

    void handedOver(long orderId) {
        jobs.schedule(Tracking::poll).with(orderId).repeat(Repeat.growing(ofSeconds(30), 2).upTo(ofHours(1)));
    }

    @DelayedJob("poll-tracking-number")
    Next poll(long orderId) {
        return partner.trackingNoOf(orderId)
                .map(no -> { orders.markShipped(orderId, no); return Next.stop(); })
                .orElse(Next.asPlanned());
    }
}

// 4 retry a webhook after 10 s, 1 min, 10 min and 1 h; then it is in the list of failed jobs
@Service
class Webhooks {
    private final Http http;
    Webhooks(Http http) { this.http = http; }

    @Deferred(name = "send-webhook", retry = @Retry(gaps = {"10s", "1m", "10m", "1h"}))
    public void send(Hook hook) throws java.io.IOException {
        http.post(hook.url(), hook.body());
    }
}

// 5 nightly clean-up, on one instance
@Service
class CartCleanup {
    private final Carts carts;
    CartCleanup(Carts carts) { this.carts = carts; }

    @DelayedJob(name = "purge-carts", cron = "0 0 3 * * *", zone = "Europe/Berlin")
    void purge() {
        carts.purgeOlderThanDays(30);
    }
}
