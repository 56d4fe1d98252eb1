package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.MethodReference.ContextOnly;
import io.delayjob.MethodReference.NoPayload;
import io.delayjob.MethodReference.OnePayload;
import io.delayjob.MethodReference.PayloadAndContext;
import io.delayjob.MethodReference.TwoPayloads;
import io.delayjob.MethodReference.TwoPayloadsAndContext;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import java.util.AbstractList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MethodReferenceReaderTest {

    private final HandlerRegistry handlers = new HandlerRegistry();
    private final MethodReferenceReader reader = new MethodReferenceReader(handlers);

    @Test
    void methodOf_everyKindOfHandler_namesClassMethodAndTypes() {
        assertThat(List.of(
                        methodOf((NoPayload<Shop>) Shop::purge),
                        methodOf((ContextOnly<Shop>) Shop::tick),
                        methodOf((OnePayload<Shop, Long>) Shop::cancel),
                        methodOf((PayloadAndContext<Shop, Long>) Shop::poll),
                        methodOf((TwoPayloads<Shop, String, Integer>) Shop::remind),
                        methodOf((TwoPayloadsAndContext<Shop, String, int[]>) Shop::report)))
                .containsExactly(
                        new HandlerMethod(Shop.class, "purge", "()V"),
                        new HandlerMethod(Shop.class, "tick", "(Lio/delayjob/handler/JobContext;)V"),
                        new HandlerMethod(Shop.class, "cancel", "(J)V"),
                        new HandlerMethod(
                                Shop.class,
                                "poll",
                                "(Ljava/lang/Long;Lio/delayjob/handler/JobContext;)Lio/delayjob/handler/Next;"),
                        new HandlerMethod(Shop.class, "remind", "(Ljava/lang/String;I)V"),
                        new HandlerMethod(
                                Shop.class, "report", "(Ljava/lang/String;[ILio/delayjob/handler/JobContext;)V"));
    }

    @Test
    void methodOf_sameReferenceAgain_isRemembered() {
        HandlerMethod first = null;
        for (int i = 0; i < 2; i++) {
            HandlerMethod method = methodOf((OnePayload<Shop, Long>) Shop::cancel);
            assertThat(method).isSameAs(first == null ? method : first);
            first = method;
        }
    }

    @Test
    void methodOf_inheritedMethod_namesTheClassThatWasWritten() {
        assertThat(methodOf((NoPayload<Branch>) Branch::purge))
                .isEqualTo(new HandlerMethod(Branch.class, "purge", "()V"));
    }

    @Test
    void methodOf_accessiblePrivateMethod_isRead() {
        assertThat(methodOf((NoPayload<MethodReferenceReaderTest>) MethodReferenceReaderTest::ownSecret))
                .isEqualTo(new HandlerMethod(MethodReferenceReaderTest.class, "ownSecret", "()V"));
        assertThat(methodOf((NoPayload<Shop>) Shop::secret)).isEqualTo(new HandlerMethod(Shop.class, "secret", "()V"));
    }

    @Test
    void handlerOf_methodOfThatClass_isFound() {
        Handler cancel = register("cancel", Shop.class, "cancel", "(J)V");
        register("other", Shop.class, "purge", "()V");

        assertThat(reader.handlerOf((OnePayload<Shop, Long>) Shop::cancel)).isSameAs(cancel);
    }

    @Test
    void handlerOf_overloadedMethods_areToldApart() {
        Handler byNumber = register("by-number", Overloads.class, "cancel", "(J)V");
        Handler byName = register("by-name", Overloads.class, "cancel", "(Ljava/lang/String;)V");

        assertThat(reader.handlerOf((OnePayload<Overloads, Long>) Overloads::cancel))
                .isSameAs(byNumber);
        assertThat(reader.handlerOf((OnePayload<Overloads, String>) Overloads::cancel))
                .isSameAs(byName);
    }

    @Test
    void handlerOf_beanOfASubclass_isFoundByEitherClass() {
        Handler purge = register("purge", Branch.class, "purge", "()V");

        assertThat(reader.handlerOf((NoPayload<Branch>) Branch::purge)).isSameAs(purge);
        assertThat(reader.handlerOf((NoPayload<Shop>) Shop::purge)).isSameAs(purge);
    }

    @Test
    void handlerOf_classBelowTwoHandlers_findsTheNearest() {
        register("purge-shop", Shop.class, "purge", "()V");
        Handler nearest = register("purge-branch", Branch.class, "purge", "()V");

        assertThat(reader.handlerOf((NoPayload<Kiosk>) Kiosk::purge)).isSameAs(nearest);
    }

    @Test
    void handlerOf_interfaceAndDefaultMethods_findTheImplementingBean() {
        Handler close = register("close", Till.class, "close", "(J)V");
        Handler audit = register("audit", Till.class, "audit", "()V");

        assertThat(reader.handlerOf((OnePayload<Closing, Long>) Closing::close)).isSameAs(close);
        assertThat(reader.handlerOf((NoPayload<Closing>) Closing::audit)).isSameAs(audit);
        assertThat(reader.handlerOf((NoPayload<Till>) Till::audit)).isSameAs(audit);
    }

    @Test
    void handlerOf_methodOfAGenericSuperclass_findsTheImplementingMethod() {
        Handler importer = register("import", OrderImport.class, "load", "(Ljava/lang/String;)Ljava/lang/String;");
        Handler inherited = register("drop", OrderImport.class, "drop", "(Ljava/lang/Object;)V");

        assertThat(reader.handlerOf((OnePayload<OrderImport, String>) OrderImport::load))
                .isSameAs(importer);
        assertThat(reader.handlerOf((OnePayload<Import<String>, String>) Import::load))
                .isSameAs(importer);
        assertThat(reader.handlerOf((OnePayload<OrderImport, String>) OrderImport::drop))
                .isSameAs(inherited);
    }

    @Test
    void handlerOf_methodThatIsNoHandler_saysHowToMakeItAHandler() {
        register("purge", Shop.class, "purge", "()V");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> reader.handlerOf((OnePayload<Shop, Long>) Shop::cancel))
                .withMessage("No handler for Shop::cancel. Annotate the method with @DelayedJob, and make its "
                        + "class a Spring bean of this application. Do so even if this application only "
                        + "schedules (delayjob.worker.enabled=false). To schedule a handler of another "
                        + "application, give its name instead.");
    }

    @Test
    void handlerOf_interfaceWithSeveralBeans_namesThem() {
        register("close-till", Till.class, "close", "(J)V");
        register("close-safe", Safe.class, "close", "(J)V");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> reader.handlerOf((OnePayload<Closing, Long>) Closing::close))
                .withMessage("Ambiguous handler reference Closing::close: it may mean 'close-till' "
                        + "(Till::close) and 'close-safe' (Safe::close). Name the exact class, or give the "
                        + "handler's name instead.");
    }

    @Test
    void methodOf_lambdaBody_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> methodOf((NoPayload<Shop>) shop -> shop.purge()))
                .withMessageMatching("Invalid handler reference in io\\.delayjob\\.MethodReferenceReaderTest "
                        + "\\(lambda\\$.*\\): must be a method reference such as UnpaidOrders::cancel and not a lambda body, "
                        + "because a job is stored under the name of its method's handler\\. If it is a method reference, "
                        + "make its method public and free of varargs, because the compiler turns other method "
                        + "references into lambdas\\.");
    }

    @Test
    void methodOf_varargsOrProtectedMethodOfAnotherPackage_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> methodOf((OnePayload<Shop, String>) Shop::printAll))
                .withMessageContaining("make its method public and free of varargs");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Elsewhere().new Inner().refer())
                .withMessageContaining("make its method public and free of varargs");
    }

    @Test
    void methodOf_boundReference_isRefused() {
        Shop shop = new Shop();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> methodOf((NoPayload<Long>) shop::cancel))
                .withMessage("Invalid handler reference to 'cancel' of "
                        + "io.delayjob.MethodReferenceReaderTest$Shop: it is bound to an object. Write "
                        + "MethodReferenceReaderTest$Shop::cancel, because the bean is looked up by its "
                        + "class when the job is due.");
    }

    @Test
    void methodOf_staticMethod_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> methodOf((NoPayload<String>) Shop::print))
                .withMessage("Invalid handler reference to the static method 'print' of "
                        + "io.delayjob.MethodReferenceReaderTest$Shop: must be an instance method of a bean; "
                        + "remove 'static'.");
    }

    @Test
    void methodOf_constructor_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> methodOf((NoPayload<String>) StringBuilder::new))
                .withMessage("Invalid handler reference to a constructor of java.lang.StringBuilder: must be a method "
                        + "reference such as UnpaidOrders::cancel; move its work into a method of a bean.");
    }

    @Test
    void methodOf_objectOfAnOrdinaryClass_isRefused() {
        MethodReference handmade = new NoPayload<Shop>() {
            @Override
            public void call(Shop bean) {}
        };

        assertThatIllegalArgumentException()
                .isThrownBy(() -> methodOf(handmade))
                .withMessage("Invalid handler reference of class io.delayjob.MethodReferenceReaderTest$1: "
                        + "must be a method reference such as UnpaidOrders::cancel, and delayjob must be "
                        + "able to read it; write the reference where the job is scheduled.");
    }

    private Handler register(String name, Class<?> type, String method, String descriptor) {
        Handler handler = Handler.named(name)
                .method(new HandlerMethod(type, method, descriptor))
                .calls((arguments, job) -> null);
        handlers.register(handler);
        return handler;
    }

    private static HandlerMethod methodOf(MethodReference reference) {
        return MethodReferenceReader.methodOf(reference);
    }

    private void ownSecret() {}

    static class Shop {
        void purge() {}

        void tick(JobContext job) {}

        protected void cancel(long orderId) {}

        Next poll(Long orderId, JobContext job) {
            return Next.stop();
        }

        public void remind(String customer, int nth) {}

        void report(String title, int[] figures, JobContext job) {}

        void printAll(String... lines) {}

        static void print(String line) {}

        private void secret() {}
    }

    static class Branch extends Shop {}

    static class Kiosk extends Branch {}

    static class Overloads {
        void cancel(long number) {}

        void cancel(String name) {}
    }

    interface Closing {
        void close(long day);

        default void audit() {}
    }

    static class Till implements Closing {
        @Override
        public void close(long day) {}
    }

    static class Safe implements Closing {
        @Override
        public void close(long day) {}
    }

    /** Inherits a protected method from another package. The compiler turns a reference to it into a lambda. */
    static class Elsewhere extends AbstractList<String> {
        class Inner {
            void refer() {
                methodOf((TwoPayloads<Elsewhere, Integer, Integer>) Elsewhere::removeRange);
            }
        }

        @Override
        public String get(int index) {
            return "";
        }

        @Override
        public int size() {
            return 0;
        }
    }

    abstract static class Import<T> {
        abstract Object load(T item);

        void drop(T item) {}
    }

    static class OrderImport extends Import<String> {
        @Override
        String load(String item) {
            return item;
        }
    }
}
