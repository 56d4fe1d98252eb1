package shop;

import io.delayjob.test.DelayJobTester;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that the shop deals with. */
final class World implements Orders, Mailer, Partner, Http, Carts {
    private final DelayJobTester tester;
    final List<String> said = new ArrayList<>();
    final List<Instant> times = new ArrayList<>();
    final List<Instant> purges = new ArrayList<>();
    private int polls;
    int answersAtPoll;
    boolean networkIsDown;

    World(DelayJobTester tester) {
        this.tester = tester;
    }

    private void says(String what) {
        said.add(what);
        times.add(tester.now());
    }

    @Override
    public void cancelIfUnpaid(long orderId) {
        says("cancel " + orderId + " if unpaid");
    }

    @Override
    public void markShipped(long orderId, String trackingNo) {
        said.add("order " + orderId + " is shipped as " + trackingNo);
    }

    @Override
    public void remind(long customerId, int nth) {
        says("remind " + customerId + " for the " + nth + ". time");
    }

    @Override
    public Optional<String> trackingNoOf(long orderId) {
        says("where is order " + orderId);
        return ++polls < answersAtPoll ? Optional.empty() : Optional.of("T" + orderId);
    }

    @Override
    public void post(String url, String body) throws IOException {
        says("post " + body + " to " + url);
        if (networkIsDown) {
            throw new IOException("network is down");
        }
    }

    @Override
    public int purgeOlderThanDays(int days) {
        purges.add(tester.now());
        return 0;
    }
}
