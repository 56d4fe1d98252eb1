package shop;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Registers customers, who are then reminded of the shop three times. */
@RestController
class CustomerController {

    private final Reminders reminders;

    CustomerController(Reminders reminders) {
        this.reminders = reminders;
    }

    @PostMapping("/customers/{id}/sign-up")
    @ResponseStatus(HttpStatus.ACCEPTED)
    void signUp(@PathVariable long id) {
        reminders.signedUp(id);
    }
}
