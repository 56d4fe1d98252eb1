package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which errors pass. */
class RedisErrorsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READONLY You can't write against a read only replica.",
                "LOADING Redis is loading the dataset in memory",
                "CLUSTERDOWN The cluster is down",
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "OOM command not allowed when used memory > 'maxmemory'. script: 1f, on @user_script:32.",
                "ERR Error running script (call to f_1f): @user_script:32: -OOM command not allowed",
                "MISCONF Redis is configured to save RDB snapshots, but it is unable to persist to disk.",
                "NOREPLICAS Not enough good replicas to write.",
                "BUSY Redis is busy running a script.",
                "MASTERDOWN Link with MASTER is down",
                "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
                "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is configured to be writable (which is not the default) writes to replicas are just local and are not propagated.",
                "ERR max number of clients reached",
                "ERR Error running script: @user_script:1: Script killed by user with SCRIPT KILL."
            })
    void answerOfAServerThatRecovers_passes(String message) {
        assertThat(translated(new RedisCommandExecutionException(message)).isTransient())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOAUTH Authentication required.",
                "NOPERM this user has no permissions to run the 'evalsha' command",
                "WRONGTYPE Operation against a key holding the wrong kind of value",
                "ERR unknown command 'BOOM'"
            })
    void everyOtherAnswer_isFinal(String message) {
        StoreException refused = translated(new RedisCommandExecutionException(message));

        assertThat(refused.isTransient()).isFalse();
        assertThat(refused).hasMessageContaining(message).hasMessageContaining("claiming jobs");
    }

    @Test
    void noAnswer_passes() {
        assertThat(translated(new RedisCommandTimeoutException("late")).isTransient())
                .isTrue();
        assertThat(translated(new RedisConnectionException("refused")).isTransient())
                .isTrue();
        assertThat(translated(new RedisException(new ClosedChannelException())).isTransient())
                .isTrue();
        assertThat(translated(new ExecutionException(new ClosedChannelException()))
                        .isTransient())
                .isTrue();
    }

    private static StoreException translated(Throwable error) {
        return RedisErrors.translate("claiming jobs", error);
    }
}
