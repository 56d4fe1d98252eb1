package exports;

import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;

@HttpExchange("/exports")
interface Exports {

    @PostExchange
    void start(@RequestBody Order order);

    record Order(long customerId, String id, String ticket) {}
}
