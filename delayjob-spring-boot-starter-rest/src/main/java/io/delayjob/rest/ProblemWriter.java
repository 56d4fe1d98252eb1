package io.delayjob.rest;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/** Writes problems of requests that have not yet reached Spring MVC. Thread-safe. */
record ProblemWriter(JsonMapper mapper) {

    void write(Problem problem, HttpServletResponse response) throws IOException {
        response.setStatus(problem.status());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(mapper.writeValueAsBytes(problem));
    }
}
