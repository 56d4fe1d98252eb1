package shop;

import io.delayjob.DelayJobOperations;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Changes an order together with its jobs. One transaction writes both. So every unpaid order has a job that cancels
 * it, and an order that was rolled back has no job. With {@code delayjob.store=redis}, the jobs are written right after
 * the commit.
 */
@Service
@Transactional
class Checkout {

    private final OrderBook orders;
    private final DelayJobOperations jobs;
    private final UnpaidOrders unpaidOrders;
    private final Tracking tracking;
    private final ShopProperties shop;

    Checkout(
            OrderBook orders,
            DelayJobOperations jobs,
            UnpaidOrders unpaidOrders,
            Tracking tracking,
            ShopProperties shop) {
        this.orders = orders;
        this.jobs = jobs;
        this.unpaidOrders = unpaidOrders;
        this.tracking = tracking;
        this.shop = shop;
    }

    /**
     * Like {@link UnpaidOrders#placed}, but with the configured payment window, because half an hour is too long for a
     * sample.
     */
    Order place() {
        Order order = orders.place(shop.paymentWindow());
        jobs.schedule(UnpaidOrders::cancel).with(order.id()).key(order.id()).at(order.payBy());
        return order;
    }

    /**
     * A cancelled order stays cancelled, and a second payment changes nothing. The result is empty if there is no such
     * order.
     */
    Optional<Order> pay(long orderId) {
        if (orders.pay(orderId)) {
            unpaidOrders.paid(orderId);
            tracking.handedOver(orderId);
            tell(shop.paidHook(), orderId);
        }
        return orders.find(orderId);
    }

    private void tell(@Nullable URI hook, long orderId) {
        if (hook != null) {
            Hook paid = new Hook(hook.toString(), "{\"paidOrder\":%d}".formatted(orderId));
            // Equivalent to webhooks.send(paid), which declares an IOException that only the job can throw.
            jobs.schedule(Webhooks::send).with(paid).now();
        }
    }
}
