package io.delayjob.rest;

import static org.springframework.web.bind.annotation.RequestMethod.DELETE;
import static org.springframework.web.bind.annotation.RequestMethod.GET;
import static org.springframework.web.bind.annotation.RequestMethod.OPTIONS;
import static org.springframework.web.bind.annotation.RequestMethod.PATCH;
import static org.springframework.web.bind.annotation.RequestMethod.POST;
import static org.springframework.web.bind.annotation.RequestMethod.PUT;
import static org.springframework.web.bind.annotation.RequestMethod.TRACE;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * If no other method serves a request to the API, this class answers the request. Therefore all responses of the API
 * have the same form.
 */
@RestController
@RequestMapping(JobsController.PATH)
final class OtherPaths {

    private static final Map<Pattern, List<HttpMethod>> KNOWN = Map.of(
            Pattern.compile("/jobs"), List.of(HttpMethod.GET, HttpMethod.POST, HttpMethod.DELETE),
            Pattern.compile("/jobs/[^/]+"), List.of(HttpMethod.GET, HttpMethod.PATCH, HttpMethod.DELETE),
            Pattern.compile("/jobs/[^/]+/retry"), List.of(HttpMethod.POST),
            Pattern.compile("/groups"), List.of(HttpMethod.GET),
            Pattern.compile("/groups/[^/]+"), List.of(HttpMethod.GET, HttpMethod.DELETE),
            Pattern.compile("/groups/[^/]+/(when-all-ended|when-any-fails|close)"), List.of(HttpMethod.POST),
            Pattern.compile("/answers/[^/]+"), List.of(HttpMethod.POST),
            Pattern.compile("/openapi.json"), List.of(HttpMethod.GET));

    private static final Resource DESCRIPTION = new ClassPathResource("openapi.json", OtherPaths.class);

    private final String path;

    OtherPaths(String path) {
        this.path = path;
    }

    @GetMapping(path = "/openapi.json", produces = MediaType.APPLICATION_JSON_VALUE)
    @Needs({Authority.SUBMIT, Authority.READ, Authority.CHANGE, Authority.ANSWER})
    ResponseEntity<Resource> description() {
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(DESCRIPTION);
    }

    @RequestMapping(
            path = "/**",
            method = {GET, POST, PUT, PATCH, DELETE, OPTIONS, TRACE})
    @Needs({Authority.SUBMIT, Authority.READ, Authority.CHANGE, Authority.ANSWER})
    ResponseEntity<ApiBody> answer(HttpServletRequest request) {
        String uri = request.getRequestURI();
        String rest = uri.substring(uri.indexOf(path) + path.length());
        HttpHeaders headers = new HttpHeaders();
        for (Map.Entry<Pattern, List<HttpMethod>> known : KNOWN.entrySet()) {
            List<HttpMethod> methods = known.getValue();
            boolean absent = methods.contains(HttpMethod.valueOf(request.getMethod()));
            if (!absent && known.getKey().matcher(rest).matches()) {
                headers.setAllow(Set.copyOf(methods));
                return Problem.METHOD
                        .problem(
                                "Method %s is not allowed here: see the header Allow.".formatted(request.getMethod()),
                                null)
                        .response(headers);
            }
        }
        return Problem.NOT_FOUND
                .problem("The API has no such path: see openapi.json below its root.", null)
                .response(headers);
    }
}
