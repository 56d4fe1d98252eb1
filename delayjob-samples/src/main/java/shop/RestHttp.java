package shop;

import java.time.Duration;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * Sends JSON by HTTP POST. Throws an exception after an error, or if no answer comes within ten seconds. The job is
 * then retried.
 */
@Component
class RestHttp implements Http {

    private final RestClient client;

    RestHttp() {
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory();
        requests.setReadTimeout(Duration.ofSeconds(10));
        client = RestClient.builder().requestFactory(requests).build();
    }

    @Override
    public void post(String url, String body) {
        client.post()
                .uri(url)
                .contentType(MediaType.APPLICATION_JSON)
                .body(body)
                .retrieve()
                .toBodilessEntity();
    }
}
