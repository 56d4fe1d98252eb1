package shop;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Writes each mail to the log instead of sending the mail. */
@Component
class LoggingMailer implements Mailer {

    private static final Logger log = LoggerFactory.getLogger(LoggingMailer.class);

    @Override
    public void remind(long customerId, int nth) {
        log.info("Customer {} gets reminder number {}.", customerId, nth);
    }
}
