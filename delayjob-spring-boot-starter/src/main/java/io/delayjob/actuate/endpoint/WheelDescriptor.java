package io.delayjob.actuate.endpoint;

import io.delayjob.status.EngineStatus;
import io.delayjob.wheel.LevelOccupancy;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The wheel of this instance.
 *
 * @param size number of jobs in it
 * @param lag lateness of the wheel at its last expiry
 * @param cascades number of times that a job has moved to a lower level
 * @param levels occupancy of each level, from the finest to the coarsest
 */
record WheelDescriptor(int size, Duration lag, long cascades, List<LevelOccupancy> levels)
        implements OperationResponseBody {

    static WheelDescriptor of(EngineStatus status) {
        return new WheelDescriptor(status.waiting(), status.wheelLag(), status.cascades(), status.wheel());
    }
}
