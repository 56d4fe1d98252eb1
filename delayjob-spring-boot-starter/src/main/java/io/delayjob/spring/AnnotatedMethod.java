package io.delayjob.spring;

import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.JobArgument;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.handler.PayloadParameter;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Nullness;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.util.ClassUtils;

/**
 * A method that is a handler, because it is annotated with {@link DelayedJob} or {@link Deferred}.
 *
 * @param type class of the bean, without a proxy
 * @param method the method, declared in that class or in a supertype
 * @param annotation the annotation, with the attributes of its meta-annotations merged in
 */
record AnnotatedMethod(Class<?> type, Method method, Annotation annotation, boolean takesContext) {

    private static final Logger log = LoggerFactory.getLogger(AnnotatedMethod.class);

    private static final List<Class<? extends Annotation>> ANNOTATIONS = List.of(DelayedJob.class, Deferred.class);

    /** The name of the annotation is a text, because the class may be missing. */
    private static final String SCHEDULER_LOCK = "net.javacrumbs.shedlock.spring.annotation.SchedulerLock";

    private static final Set<Integer> NOT_JOINING = Set.of(
            TransactionDefinition.PROPAGATION_REQUIRES_NEW,
            TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
            TransactionDefinition.PROPAGATION_NEVER);

    private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    /** If the methods of the class cannot be read, the result is empty. */
    static List<AnnotatedMethod> of(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, ANNOTATIONS)) {
            return List.of();
        }
        Class<?> written = ClassUtils.getUserClass(type);
        return methods(written).stream().map(method -> of(written, method)).toList();
    }

    private static Set<Method> methods(Class<?> type) {
        try {
            return MethodIntrospector.selectMethods(
                    type,
                    (Method method) -> AnnotatedElementUtils.hasAnnotation(method, DelayedJob.class)
                            || AnnotatedElementUtils.hasAnnotation(method, Deferred.class));
        } catch (IllegalStateException | LinkageError incomplete) {
            // Such a method cannot be called anyway: a type in its signature is missing on the class path.
            log.debug("delayjob cannot read the methods of {}, so it finds no handlers there.", type, incomplete);
            return Set.of();
        }
    }

    private static AnnotatedMethod of(Class<?> type, Method method) {
        DelayedJob delayedJob = AnnotatedElementUtils.findMergedAnnotation(method, DelayedJob.class);
        Deferred deferred = AnnotatedElementUtils.findMergedAnnotation(method, Deferred.class);
        Class<?>[] parameters = method.getParameterTypes();
        boolean takesContext = parameters.length > 0 && parameters[parameters.length - 1] == JobContext.class;
        if (delayedJob != null && deferred != null) {
            throw invalid(
                    type,
                    method,
                    "has both @DelayedJob and @Deferred",
                    "Keep @Deferred if a call of the method should schedule it, otherwise keep @DelayedJob.");
        }
        if (delayedJob != null) {
            return new AnnotatedMethod(type, method, delayedJob, takesContext);
        }
        if (deferred != null) {
            return new AnnotatedMethod(type, method, deferred, takesContext);
        }
        throw new IllegalStateException("No annotation on " + method);
    }

    AnnotatedMethod {
        int modifiers = method.getModifiers();
        if (Modifier.isStatic(modifiers)) {
            throw invalid(
                    type, method, "is static", "Remove 'static', because delayjob calls the method on the " + "bean.");
        }
        if (Modifier.isPrivate(modifiers)) {
            throw invalid(
                    type,
                    method,
                    "is private",
                    "Give the method any other visibility, so that it can be called through the bean's proxy.");
        }
        if (KotlinDetector.isSuspendingFunction(method)) {
            throw invalid(
                    type,
                    method,
                    "is a suspend function: the job would end at the first suspension",
                    "Remove 'suspend', because a job has its own thread; or let it return a CompletionStage, such as the result of"
                            + " future { … } in the coroutines library.");
        }
        int payloads = method.getParameterCount() - (takesContext ? 1 : 0);
        if (Arrays.stream(method.getParameterTypes()).limit(payloads).anyMatch(JobContext.class::equals)) {
            throw invalid(
                    type,
                    method,
                    "takes a JobContext that is not its last parameter",
                    "Make the JobContext " + "the last parameter.");
        }
        if (takesContext && jobArgument(method, payloads) != null) {
            throw invalid(
                    type,
                    method,
                    "has @JobArgument on its JobContext, which is not stored",
                    "Remove @JobArgument, or move it to the parameter that was renamed.");
        }
        checkNeighbours(type, method, annotation);
        if (annotation instanceof Deferred) {
            checkDeferred(type, method);
        }
        Class<?> returned = method.getReturnType();
        if (!isNothing(returned) && returned != Next.class && !CompletionStage.class.isAssignableFrom(returned)) {
            throw invalid(
                    type,
                    method,
                    "returns " + returned.getSimpleName() + ", which would be lost",
                    "Let it return void, Next, or a CompletionStage of either. Next.done(value) keeps a value as the job's result.");
        }
        if (isAtomic(annotation)) {
            checkAtomic(type, method);
        }
    }

    boolean isAtomic() {
        return isAtomic(annotation);
    }

    private static boolean isAtomic(Annotation annotation) {
        return annotation instanceof DelayedJob job ? job.atomic() : ((Deferred) annotation).atomic();
    }

    private static void checkAtomic(Class<?> type, Method method) {
        if (CompletionStage.class.isAssignableFrom(method.getReturnType())) {
            throw invalid(
                    type,
                    method,
                    "is atomic and returns a CompletionStage, whose work would go on when its transaction is over",
                    "Let it return void or Next, or remove atomic.");
        }
        TransactionAttribute own =
                new AnnotationTransactionAttributeSource(false).getTransactionAttribute(method, type);
        if (own != null && NOT_JOINING.contains(own.getPropagationBehavior())) {
            throw invalid(
                    type,
                    method,
                    "is atomic, but its own transactional annotation keeps it out of the transaction of its job's end",
                    "Remove that annotation or its propagation, or remove atomic.");
        }
    }

    private static void checkNeighbours(Class<?> type, Method method, Annotation annotation) {
        if (annotation instanceof DelayedJob
                && (AnnotatedElementUtils.hasAnnotation(method, Scheduled.class)
                        || AnnotatedElementUtils.hasAnnotation(method, Schedules.class))) {
            throw invalid(
                    type,
                    method,
                    "has @Scheduled beside @DelayedJob: every instance would also call the method itself, without a job",
                    "Remove @Scheduled, and state the time in @DelayedJob, by cron or every: it then starts once in the"
                            + " cluster.");
        }
        boolean async = AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(type, Async.class);
        if (async && !CompletionStage.class.isAssignableFrom(method.getReturnType())) {
            throw invalid(
                    type,
                    method,
                    "is @Async, or its class is: the job would end before the work does, and a failure would be lost",
                    "Remove @Async, because a job has its own thread; or let the method return a CompletionStage.");
        }
        if (MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(SCHEDULER_LOCK)) {
            throw invalid(
                    type,
                    method,
                    "has @SchedulerLock: while another instance holds the lock, the job would count as done without having run",
                    "Remove @SchedulerLock, because only one instance runs a job; to run one job at a time, state a key or a"
                            + " concurrency.");
        }
    }

    private static void checkDeferred(Class<?> type, Method method) {
        if (Modifier.isFinal(method.getModifiers()) || Modifier.isFinal(type.getModifiers())) {
            throw invalid(
                    type,
                    method,
                    "is final, or its class is, so its calls cannot be intercepted",
                    "Remove 'final', or use @DelayedJob and schedule it by jobs.schedule(%s::%s)."
                            .formatted(type.getSimpleName(), method.getName()));
        }
        if (!isNothing(method.getReturnType()) && method.getReturnType() != Next.class) {
            throw invalid(
                    type,
                    method,
                    "returns " + method.getReturnType().getSimpleName()
                            + ", which does not exist yet when a deferred call returns",
                    "Let it return void, or Next.");
        }
    }

    private static boolean isNothing(Class<?> returned) {
        return returned == void.class || returned == Void.class;
    }

    String defaultName() {
        return type.getSimpleName() + "." + method.getName();
    }

    List<PayloadParameter> payloadParameters() {
        Type[] types = method.getGenericParameterTypes();
        Parameter[] parameters = method.getParameters();
        int count = types.length - (takesContext ? 1 : 0);
        String[] names = count == 0 ? new String[0] : PARAMETER_NAMES.getParameterNames(method);
        if (names == null) {
            throw invalid(
                    type,
                    method,
                    "has parameters whose names are not in the class file",
                    "Compile it with -parameters: payloads are stored by parameter name.");
        }
        KotlinDefaults defaults = KotlinDefaults.of(method);
        List<PayloadParameter> payload = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            JobArgument stored = jobArgument(method, i);
            boolean nullable = isNullable(parameters[i])
                    || defaults != null && defaults.optional().get(i);
            payload.add(new PayloadParameter(
                    stored == null ? names[i] : stored.value(),
                    GenericTypeResolver.resolveType(types[i], type),
                    nullable));
        }
        return payload;
    }

    private static @Nullable JobArgument jobArgument(Method method, int parameter) {
        return new org.springframework.core.annotation.AnnotatedMethod(method)
                .getMethodParameters()[parameter].getParameterAnnotation(JobArgument.class);
    }

    /**
     * Spring accepts type annotations only from JSpecify. So this method also accepts any other annotation with the
     * name {@code Nullable}.
     */
    private static boolean isNullable(Parameter parameter) {
        return !parameter.getType().isPrimitive()
                && (Nullness.forParameter(parameter) == Nullness.NULLABLE
                        || Arrays.stream(parameter.getAnnotatedType().getAnnotations())
                                .anyMatch(annotation -> annotation
                                        .annotationType()
                                        .getSimpleName()
                                        .equals("Nullable")));
    }

    HandlerMethod toHandlerMethod() {
        String descriptor = MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .descriptorString();
        return new HandlerMethod(type, method.getName(), descriptor);
    }

    InvalidHandlerException invalid(String what, String mend) {
        return invalid(type, method, what, mend);
    }

    private static InvalidHandlerException invalid(Class<?> type, Method method, String what, String mend) {
        return new InvalidHandlerException(place(type, method) + " " + what + ".", mend);
    }

    private static String place(Class<?> type, Method method) {
        return "Handler method " + type.getName() + "." + method.getName();
    }

    @Override
    public String toString() {
        return place(type, method);
    }
}
