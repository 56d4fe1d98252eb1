package io.delayjob.spring;

import io.delayjob.annotation.Deferred;
import io.delayjob.handler.Handler;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.target.TargetHandlers;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * Registers all handlers after all singletons exist, because before that, the class of a bean may be unknown. Lazy
 * beans stay lazy.
 */
final class HandlerDiscovery implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(HandlerDiscovery.class);

    private final ConfigurableListableBeanFactory beans;
    private final HandlerReader reader;
    private final PayloadCodec codec;
    private final HandlerPlaces places;
    private final List<HandlerCustomizer> customizers;
    private final List<TargetHandlers> targets;

    HandlerDiscovery(
            ConfigurableListableBeanFactory beans,
            HandlerReader reader,
            PayloadCodec codec,
            HandlerPlaces places,
            List<HandlerCustomizer> customizers,
            List<TargetHandlers> targets) {
        this.beans = beans;
        this.reader = reader;
        this.codec = codec;
        this.places = places;
        this.customizers = customizers;
        this.targets = targets;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<AnnotatedMethod> unnamed = new ArrayList<>();
        new AnnotatedBeans(beans).forEach((bean, method) -> {
            register(bean, method);
            if (reader.isUnnamed(method)) {
                unnamed.add(method);
            }
        });
        if (!unnamed.isEmpty()) {
            unnamed.sort(Comparator.comparing(AnnotatedMethod::defaultName));
            warnOf(unnamed);
        }
        for (String name : beans.getBeanNamesForType(Handler.class)) {
            register(
                    beans.getBean(name, Handler.class),
                    "Handler bean '" + name + "'",
                    "Give the bean's handler another name, as in Handler.named(\"…\").");
        }
        for (TargetHandlers source : targets) {
            for (Handler target : source.handlers()) {
                register(
                        target,
                        "Target '" + target.name() + "'",
                        "Give the target another name, as in delayjob.targets.<name>.");
            }
        }
    }

    private void register(Handler built, String place, String otherName) {
        Handler customized = customized(built);
        checkPayload(place, customized);
        // The wrapper of a customizer does not check arguments.
        add(customized.withBody(new CheckedBody(built.body(), customized.body())), null, otherName);
    }

    private static void warnOf(List<AnnotatedMethod> unnamed) {
        AnnotatedMethod first = unnamed.get(0);
        log.warn(
                "These handlers have no name of their own: {}. Their jobs are stored under the names of "
                        + "class and method, so stored jobs no longer run if the class or method is renamed. State "
                        + "the present name, as in @{}(name = \"{}\").",
                unnamed.stream().map(AnnotatedMethod::defaultName).collect(Collectors.joining(", ")),
                first.annotation().annotationType().getSimpleName(),
                first.defaultName());
    }

    private void register(String beanName, AnnotatedMethod method) {
        checkInvocable(beanName, method);
        String store = reader.store(method).orElse(null);
        places.check(method, store);
        JobHandler body = new BeanMethod(bean(beanName), method.method(), method.takesContext());
        Handler handler = customized(reader.handler(
                method, method.annotation() instanceof Deferred ? new PassThrough(method.method(), body) : body));
        checkPayload(method, handler);
        Optional<DeclaredSchedule> schedule = reader.schedule(method, handler);
        add(handler, store, "State the name in its annotation, as in @DelayedJob(name = \"…\").");
        schedule.ifPresent(declared -> places.declare(declared, store));
    }

    private Handler customized(Handler handler) {
        Handler customized = handler;
        for (HandlerCustomizer customizer : customizers) {
            customized = customizer.customize(customized);
        }
        return customized;
    }

    private void add(Handler handler, @Nullable String store, String otherName) {
        try {
            places.register(handler, store);
        } catch (IllegalStateException taken) {
            throw new InvalidHandlerException(String.valueOf(taken.getMessage()), otherName, taken);
        }
    }

    private void checkPayload(Object place, Handler handler) {
        try {
            codec.check(handler.parameters());
        } catch (InvalidPayloadException refused) {
            throw new InvalidHandlerException(
                    place + " takes a payload that cannot be stored: " + refused.getMessage(),
                    "Let it take a value that can be written as JSON and read again, such as a record or an id, and load the rest"
                            + " when the job runs.",
                    refused);
        }
    }

    private Supplier<Object> bean(String name) {
        Supplier<Object> lookUp = () -> beans.getBean(name);
        return beans.isSingleton(name) ? SingletonSupplier.of(lookUp) : lookUp;
    }

    /**
     * Refuses a method that a proxy does not pass on to its bean. The method would run on the proxy itself, whose
     * fields are all {@code null}.
     */
    private void checkInvocable(String beanName, AnnotatedMethod annotated) {
        Class<?> exposed = beans.getType(beanName, false);
        if (exposed == null) {
            return;
        }
        Method method = annotated.method();
        boolean mustBeOverridden =
                method.getDeclaringClass().isAssignableFrom(exposed) && SpringProxy.class.isAssignableFrom(exposed);
        if (mustBeOverridden && Modifier.isFinal(method.getModifiers())) {
            throw annotated.invalid("is final, and its bean has a proxy", "Remove 'final' from the method.");
        }
        if (mustBeOverridden && !isVisible(method, exposed)) {
            throw annotated.invalid(
                    "is package-private in another package than its bean, and the bean has a proxy",
                    "Make the method protected or public.");
        }
        try {
            AopUtils.selectInvocableMethod(method, exposed);
        } catch (IllegalStateException hidden) {
            throw new InvalidHandlerException(
                    annotated + " is hidden by its bean's proxy, which has interfaces only.",
                    "Declare it in an interface, or have classes proxied (spring.aop.proxy-target-class=true).",
                    hidden);
        }
    }

    /** A package-private method can be overridden only in the same package of the same class loader. */
    private static boolean isVisible(Method method, Class<?> proxy) {
        int modifiers = method.getModifiers();
        Class<?> owner = method.getDeclaringClass();
        return Modifier.isPublic(modifiers)
                || Modifier.isProtected(modifiers)
                || owner.getPackageName().equals(proxy.getPackageName())
                        && owner.getClassLoader() == proxy.getClassLoader();
    }
}
