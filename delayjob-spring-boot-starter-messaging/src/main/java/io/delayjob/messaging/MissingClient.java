package io.delayjob.messaging;

import io.delayjob.handler.Handler;
import io.delayjob.target.TargetKind;

/**
 * A kind of target without its client library. Each target of this kind is refused, with a message that names the
 * library.
 */
record MissingClient<P>(String name, Class<P> properties, String missing, String remedy) implements TargetKind<P> {

    @Override
    public Handler handler(String target, P its, Handler.Builder rules) {
        throw new IllegalArgumentException(
                "Target '%s' cannot send: %s is not on the class path. Add %s to the application's dependencies."
                        .formatted(target, missing, remedy));
    }
}
