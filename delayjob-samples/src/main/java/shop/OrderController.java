package shop;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The HTTP interface of the shop. */
@RestController
@RequestMapping("/orders")
class OrderController {

    private static final int SHOWN = 50;

    private final Checkout checkout;
    private final OrderBook orders;

    OrderController(Checkout checkout, OrderBook orders) {
        this.checkout = checkout;
        this.orders = orders;
    }

    @PostMapping
    ResponseEntity<Order> place() {
        Order order = checkout.place();
        return ResponseEntity.created(URI.create("/orders/" + order.id())).body(order);
    }

    @PostMapping("/{id}/pay")
    Order pay(@PathVariable long id) {
        Order order = found(id, checkout.pay(id));
        if (order.status() == Order.Status.CANCELLED) {
            throw new ResponseStatusException(
                    HttpStatus.CONFLICT, "Order %d was cancelled at %s.".formatted(id, order.endedAt()));
        }
        return order;
    }

    @GetMapping
    List<Order> list() {
        return orders.newest(SHOWN);
    }

    @GetMapping("/{id}")
    Order find(@PathVariable long id) {
        return found(id, orders.find(id));
    }

    private static Order found(long id, Optional<Order> order) {
        return order.orElseThrow(
                () -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no order %d.".formatted(id)));
    }
}
