package io.delayjob.spring;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Computes keys, mutexes, rate keys and fair keys from the arguments of calls.
 *
 * @param attribute {@code key}, {@code mutex}, {@code rateBy} or {@code fairBy}
 */
record ArgumentExpression(AnnotatedMethod method, String attribute, SpelExpression expression) {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();
    private static final Set<String> ALWAYS_KNOWN = Set.of("#root", "#this");

    /** Checks the variables. Otherwise, a misspelled variable would always be {@code null}. */
    static ArgumentExpression parse(AnnotatedMethod method, String attribute, String text) {
        ArgumentExpression parsed = new ArgumentExpression(method, attribute, PARSER.parseRaw(text));
        parsed.checkVariables();
        return parsed;
    }

    private void checkVariables() {
        String[] names = PARAMETER_NAMES.getParameterNames(method.method());
        if (names == null) {
            return;
        }
        List<String> arguments = Stream.of(names).map(name -> "#" + name).toList();
        Set<String> known = new HashSet<>(arguments);
        known.addAll(ALWAYS_KNOWN);
        for (int i = 0; i < names.length; i++) {
            known.add("#p" + i);
            known.add("#a" + i);
        }
        variables(expression.getAST())
                .filter(variable -> !known.contains(variable))
                .findFirst()
                .ifPresent(unknown -> {
                    throw new IllegalArgumentException(
                            "Invalid %s '%s': there is no %s; must use only the arguments %s."
                                    .formatted(attribute, this, unknown, arguments));
                });
    }

    private static Stream<String> variables(SpelNode node) {
        Stream<String> own = node instanceof VariableReference ? Stream.of(node.toStringAST()) : Stream.empty();
        return Stream.concat(
                own,
                IntStream.range(0, node.getChildCount())
                        .mapToObj(node::getChild)
                        .flatMap(ArgumentExpression::variables));
    }

    @Nullable
    Object valueFor(@Nullable Object[] arguments) {
        try {
            return expression.getValue(
                    new MethodBasedEvaluationContext(null, method.method(), arguments, PARAMETER_NAMES));
        } catch (EvaluationException failed) {
            throw new IllegalArgumentException(
                    "%s cannot be scheduled: the %s '%s' of its @%s has no value for this call (%s); correct the expression, or the arguments."
                            .formatted(
                                    method,
                                    attribute,
                                    this,
                                    method.annotation().annotationType().getSimpleName(),
                                    failed.getMessage()),
                    failed);
        }
    }

    @Nullable
    Object valueOf(List<@Nullable Object> arguments) {
        return valueFor(arguments.toArray());
    }

    @Override
    public String toString() {
        return expression.getExpressionString();
    }
}
