package io.delayjob.rest;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/** Writes the problem response for a request that was refused before it reached Spring MVC. Thread-safe. */
record ProblemWriter(JsonMapper mapper) {

    void write(Problem problem, HttpServletResponse response) throws IOException {
        response.setStatus(problem.status());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(mapper.writeValueAsBytes(problem));
    }
}
