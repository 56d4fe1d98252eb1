package shop

import io.delayjob.DelayJobOperations
import io.delayjob.annotation.DelayedJob
import org.springframework.stereotype.Service
import java.time.Duration

interface Orders {
    fun cancelIfUnpaid(orderId: Long)
}

@Service
class UnpaidOrders(private val orders: Orders, private val jobs: DelayJobOperations) {

    fun placed(orderId: Long) {
        jobs.schedule(UnpaidOrders::cancel).with(orderId).key(orderId).after(Duration.ofMinutes(30))
    }

    @DelayedJob("cancel-unpaid-order")
    fun cancel(orderId: Long) = orders.cancelIfUnpaid(orderId)
}
