package shop;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Fills the shop with orders. */
@RestController
class EveningController {

    private static final int MOST_ORDERS = 20_000;

    private final BusyEvening evening;
    private final Accountants accountants;

    EveningController(BusyEvening evening, Accountants accountants) {
        this.evening = evening;
        this.accountants = accountants;
    }

    @PostMapping("/evening")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void begin(@RequestParam(defaultValue = "3000") int orders) {
        if (orders < 1 || orders > MOST_ORDERS) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST,
                    "Invalid number of orders %d: must be 1 to %d.".formatted(orders, MOST_ORDERS));
        }
        accountants.eveningBegins();
        evening.begin(
                orders,
                ServletUriComponentsBuilder.fromCurrentContextPath()
                        .path(Accountants.PATH)
                        .build()
                        .toUri());
    }
}
