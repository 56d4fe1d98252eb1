package io.delayjob.spring;

import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.KeyRule;
import io.delayjob.handler.RateLimit;
import io.delayjob.schedule.DurationText;
import io.delayjob.schedule.Repeat;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.ExpressionException;
import org.springframework.scheduling.annotation.Scheduled;

/** Reads the annotations of a handler. */
final class HandlerReader {

    private final Attributes attributes;
    private final RetryReader retries;

    HandlerReader(Attributes attributes, RetryReader retries) {
        this.attributes = attributes;
        this.retries = retries;
    }

    Handler handler(AnnotatedMethod method, JobHandler body) {
        return checked(
                method,
                annotated -> annotated.annotation() instanceof DelayedJob job
                        ? delayed(annotated, job, body)
                        : deferred(annotated, (Deferred) annotated.annotation(), body));
    }

    private Handler delayed(AnnotatedMethod method, DelayedJob job, JobHandler body) {
        Handler.Builder handler = Handler.named(name(method, job.name()))
                .formerNames(new LinkedHashSet<>(attributes.texts(job.formerNames())))
                .queue(queue(job.queue()))
                .parameters(method.payloadParameters())
                .method(method.toHandlerMethod())
                .retry(retries.read(job.retry()).orElse(null))
                .delivery(job.delivery())
                .atomic(method.isAtomic())
                .timeout(attributes.duration(job.timeout()).orElse(null))
                .priority(job.priority())
                .scope(job.scope())
                .maxSnooze(attributes.duration(job.maxSnooze()).orElse(null))
                .mutex(rule(method, "mutex", job.mutex()))
                .rateBy(rule(method, "rateBy", job.rateBy()))
                .fairBy(rule(method, "fairBy", job.fairBy()))
                .expiresAfter(attributes.duration(job.expiresAfter()).orElse(null))
                .keepFor(attributes.duration(job.keepFor()).orElse(null));
        if (job.concurrency() != 0) {
            handler.concurrency(job.concurrency());
        }
        handler.rate(RateLimit.of(attributes.text(job.rate()).orElse(null), job.burst() == 0 ? null : job.burst()));
        return handler.calls(body);
    }

    Deferral deferral(AnnotatedMethod method) {
        Deferred deferred = (Deferred) method.annotation();
        return checked(
                method,
                annotated -> new Deferral(
                        name(annotated, deferred.name()),
                        queue(deferred.queue()),
                        annotated.payloadParameters(),
                        attributes.duration(deferred.delay()).orElse(Duration.ZERO),
                        expression(annotated, "key", deferred.key()).orElse(null)));
    }

    private Handler deferred(AnnotatedMethod method, Deferred deferred, JobHandler body) {
        Deferral calls = deferral(method);
        return Handler.named(calls.name())
                .formerNames(new LinkedHashSet<>(attributes.texts(deferred.formerNames())))
                .queue(calls.queue())
                .parameters(calls.parameters())
                .method(method.toHandlerMethod())
                .retry(retries.read(deferred.retry()).orElse(null))
                .expiresAfter(attributes.duration(deferred.expiresAfter()).orElse(null))
                .keepFor(attributes.duration(deferred.keepFor()).orElse(null))
                .mutex(rule(method, "mutex", deferred.mutex()))
                .fairBy(rule(method, "fairBy", deferred.fairBy()))
                .atomic(method.isAtomic())
                .calls(body);
    }

    private @Nullable KeyRule rule(AnnotatedMethod method, String attribute, String stated) {
        return expression(method, attribute, stated)
                .<KeyRule>map(its -> its::valueOf)
                .orElse(null);
    }

    private Optional<ArgumentExpression> expression(AnnotatedMethod method, String attribute, String stated) {
        return attributes.text(stated).map(text -> ArgumentExpression.parse(method, attribute, text));
    }

    boolean isUnnamed(AnnotatedMethod method) {
        String stated =
                method.annotation() instanceof DelayedJob job ? job.name() : ((Deferred) method.annotation()).name();
        return attributes.text(stated).isEmpty();
    }

    Optional<String> store(AnnotatedMethod method) {
        return attributes.text(
                method.annotation() instanceof DelayedJob job ? job.store() : ((Deferred) method.annotation()).store());
    }

    private String name(AnnotatedMethod method, String stated) {
        return attributes.text(stated).orElseGet(method::defaultName);
    }

    private String queue(String stated) {
        return attributes.text(stated).orElse(Handler.DEFAULT_QUEUE);
    }

    /** Returns the schedule that the annotation of a handler states; empty if it states none. */
    Optional<DeclaredSchedule> schedule(AnnotatedMethod method, Handler handler) {
        if (!(method.annotation() instanceof DelayedJob job)) {
            return Optional.empty();
        }
        Optional<DeclaredSchedule> declared = checked(method, annotated -> declared(job, handler.name()));
        if (declared.isPresent() && !handler.parameters().isEmpty()) {
            throw method.invalid(
                    "starts by itself (cron or every) but takes a payload, which no call supplies",
                    "Let the method take no parameter except a JobContext.");
        }
        return declared;
    }

    private Optional<DeclaredSchedule> declared(DelayedJob job, String name) {
        Optional<String> cron = attributes.text(job.cron()).map(String::strip);
        Optional<String> every = attributes.text(job.every()).map(String::strip);
        Optional<ZoneId> zone = attributes.text(job.zone()).map(HandlerReader::zone);
        if (cron.isEmpty() && zone.isPresent()) {
            throw new IllegalArgumentException(
                    "The annotation states a zone without cron: state the cron " + "expression, too.");
        }
        Optional<Repeat> byCron = cron.filter(HandlerReader::isOn)
                .map(expression -> Repeat.cron(expression).zone(zone.orElse(ZoneOffset.UTC)));
        Optional<Repeat> byPeriod =
                every.filter(HandlerReader::isOn).map(DurationText::parse).map(Repeat::every);
        if (byCron.isPresent() && byPeriod.isPresent()) {
            throw new IllegalArgumentException("The annotation states both cron and every: state only one of them.");
        }
        return cron.or(() -> every)
                .map(stated ->
                        new DeclaredSchedule(name, byCron.or(() -> byPeriod).orElse(null)));
    }

    private static boolean isOn(String stated) {
        return !stated.equals(Scheduled.CRON_DISABLED);
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(
                    "Invalid zone '%s': must be a zone's id such as Europe/Berlin.".formatted(text), unknown);
        }
    }

    private static <T> T checked(AnnotatedMethod method, Function<AnnotatedMethod, T> reading) {
        try {
            return reading.apply(method);
        } catch (IllegalArgumentException | IllegalStateException | ExpressionException refused) {
            throw new InvalidHandlerException(
                    method + " has an invalid annotation: " + sentence(refused), "Correct the annotation.", refused);
        }
    }

    private static String sentence(Exception refused) {
        String message = String.valueOf(refused.getMessage());
        return message.endsWith(".") ? message : message + ".";
    }
}
