package io.delayjob.spring;

import io.delayjob.schedule.DurationText;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.springframework.util.StringValueResolver;

/** Reads text attributes of annotations. If the text is empty, the attribute is not set. */
final class Attributes {

    private final StringValueResolver placeholders;

    Attributes(StringValueResolver placeholders) {
        this.placeholders = placeholders;
    }

    Optional<String> text(String attribute) {
        return Optional.ofNullable(placeholders.resolveStringValue(attribute)).filter(text -> !text.isBlank());
    }

    Optional<Duration> duration(String attribute) {
        return text(attribute).map(DurationText::parse);
    }

    List<String> texts(String[] attribute) {
        return Arrays.stream(attribute).flatMap(text -> text(text).stream()).toList();
    }
}
