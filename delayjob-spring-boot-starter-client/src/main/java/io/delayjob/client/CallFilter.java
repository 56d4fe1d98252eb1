package io.delayjob.client;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Lets only verified calls reach the configured paths ({@code delayjob.client.hooks.paths}). Thread-safe. */
final class CallFilter extends OncePerRequestFilter {

    static final String ATTRIBUTE = DelayedCall.class.getName();

    private final List<PathPattern> paths;
    private final CallVerifier verifier;
    private final int maxSize;

    CallFilter(List<String> paths, CallVerifier verifier, int maxSize) {
        // Spring MVC may ignore the case of paths.
        PathPatternParser parser = new PathPatternParser();
        parser.setCaseSensitive(false);
        this.paths = paths.stream().map(parser::parse).toList();
        this.verifier = verifier;
        this.maxSize = maxSize;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        PathContainer path = PathContainer.parsePath(
                request.getRequestURI().substring(request.getContextPath().length()));
        PathContainer inServlet = inServlet(request, path);
        return paths.stream().noneMatch(pattern -> pattern.matches(path) || pattern.matches(inServlet));
    }

    /** Controllers do not see the path of Spring MVC's servlet ({@code spring.mvc.servlet.path}). */
    private static PathContainer inServlet(HttpServletRequest request, PathContainer path) {
        if (request.getHttpServletMapping().getMappingMatch() != MappingMatch.PATH) {
            return path;
        }
        int servlet =
                PathContainer.parsePath(request.getServletPath()).elements().size();
        return path.subPath(Math.min(servlet, path.elements().size()));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        byte[] body = request.getInputStream().readNBytes(maxSize + 1);
        if (body.length > maxSize) {
            response.setStatus(HttpStatus.CONTENT_TOO_LARGE.value());
            return;
        }
        Optional<DelayedCall> call = verifier.verified(request::getHeader, body);
        if (call.isEmpty()) {
            response.setStatus(HttpStatus.UNAUTHORIZED.value());
            return;
        }
        request.setAttribute(ATTRIBUTE, call.get());
        chain.doFilter(new VerifiedRequest(request, body), response);
    }

    /** The body was read to verify the signature, so this request returns it once more. */
    private static final class VerifiedRequest extends HttpServletRequestWrapper {

        private final byte[] body;

        VerifiedRequest(HttpServletRequest request, byte[] body) {
            super(request);
            this.body = body;
        }

        @Override
        public ServletInputStream getInputStream() {
            ByteArrayInputStream bytes = new ByteArrayInputStream(body);
            return new ServletInputStream() {
                @Override
                public int read() {
                    return bytes.read();
                }

                @Override
                public int read(byte[] target, int offset, int length) {
                    return bytes.read(target, offset, length);
                }

                @Override
                public boolean isFinished() {
                    return bytes.available() == 0;
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setReadListener(ReadListener listener) {
                    throw new UnsupportedOperationException(
                            "The body of a verified call has already been read: read it without a listener.");
                }
            };
        }

        @Override
        public BufferedReader getReader() {
            return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
        }
    }
}
