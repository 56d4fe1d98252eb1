package io.delayjob.job;

import io.delayjob.schedule.Stated;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Attributes that most jobs do not have. A row stores them in one text, one attribute on each line:
 *
 * <pre>
 * alone account-7
 * apart customer-7
 * by-turns tenant-7
 * expires PT10M
 * label customer:42
 * log 1\n1893456000000 page 17 of 40
 * result {"rows":4711}
 * </pre>
 *
 * A line has the attribute's name, a space and the value. In a value, line breaks and backslashes are written as {@code
 * \n}, {@code \r} and {@code \\}. The lines are in alphabetical order. If this version of delayjob does not know an
 * attribute, the line of the attribute stays unchanged. Immutable.
 */
public final class JobExtras {

    /** The value for a job without these attributes. */
    public static final JobExtras NONE = new JobExtras(List.of());

    /** Maximum number of labels of a job. */
    public static final int MAX_LABELS = 8;

    /** Maximum length of a label, in characters. */
    public static final int MAX_LABEL_LENGTH = 40;

    // The names of keys that are read before a claim come first, and no other name does: see ClaimKeys.
    static final String MUTEX = "alone";
    static final String RATE_KEY = "apart";
    static final String FAIR_KEY = "by-turns";

    private static final String EXPIRES = "expires";
    private static final String FOLLOWER = "follower";
    private static final String FOLLOWS = "follows";
    private static final String FOLLOWS_GROUP = "follows-group";
    private static final String GROUP = "group";
    private static final String GROUP_ID = "group-id";
    private static final String KEEP = "keep";
    private static final String LABEL = "label";
    private static final String LOG = "log";
    private static final String RESULT = "result";
    private static final String RESULT_MISSING = "result-missing";
    private static final String THEN = "then";

    private final List<String> lines;

    private JobExtras(List<String> lines) {
        this.lines = List.copyOf(lines);
    }

    /** Reads the attributes from the text of a row; {@code null} stands for no attributes. */
    public static JobExtras parse(@Nullable String text) {
        return text == null || text.isEmpty() ? NONE : new JobExtras(Arrays.asList(text.split("\n", -1)));
    }

    /** Returns the text for a row; {@code null} if there are no attributes. */
    public @Nullable String toText() {
        return lines.isEmpty() ? null : String.join("\n", lines);
    }

    /**
     * Returns the maximum time from the planned time of a run to the start of an attempt, or {@code null}.
     *
     * @throws IllegalArgumentException if the stored time cannot be read
     */
    public @Nullable Duration expiresAfter() {
        String value = first(EXPIRES);
        if (value == null) {
            return null;
        }
        try {
            return Duration.parse(value);
        } catch (DateTimeException notADuration) {
            throw new IllegalArgumentException(
                    "Invalid stored expiry '%s': must be a duration such as PT10M; cancel the job and schedule it again."
                            .formatted(Printable.of(value)),
                    notADuration);
        }
    }

    /**
     * Returns how long a finished job is kept, if its handler states a time; otherwise {@code null}. Only the row of a
     * finished job, or of a job that awaits an answer, contains this time.
     */
    public @Nullable Duration keepFor() {
        String seconds = first(KEEP);
        return seconds == null ? null : Duration.ofSeconds(Long.parseLong(seconds));
    }

    /** Reads the result of {@link #keepFor()} from the text of a row. */
    public static @Nullable Duration keepForOf(@Nullable String text) {
        return text == null || !text.contains(KEEP) ? null : parse(text).keepFor();
    }

    /** Returns a copy with this retention time, in whole seconds. */
    public JobExtras withKeepFor(Duration keepFor) {
        return with(KEEP, List.of(Long.toString(keepFor.toSeconds())));
    }

    /** Returns a copy with this expiry. */
    public JobExtras withExpiresAfter(Duration expiresAfter) {
        return with(EXPIRES, List.of(expiresAfter.toString()));
    }

    /** Returns the mutex, or {@code null}. If jobs of a queue have the same mutex, they run one at a time. */
    public @Nullable String mutex() {
        return first(MUTEX);
    }

    /** Returns a copy with this mutex. */
    public JobExtras withMutex(String mutex) {
        return with(MUTEX, List.of(ClaimKeys.checkMutex(mutex)));
    }

    /** Returns the rate key, or {@code null}. The rate of the handler applies to each rate key separately. */
    public @Nullable String rateKey() {
        return first(RATE_KEY);
    }

    /** Returns a copy with this rate key. */
    public JobExtras withRateKey(String rateKey) {
        return with(RATE_KEY, List.of(ClaimKeys.checkRateKey(rateKey)));
    }

    /** Returns the fair key, or {@code null}. Due jobs with different fair keys start alternately. */
    public @Nullable String fairKey() {
        return first(FAIR_KEY);
    }

    /** Returns a copy with this fair key. */
    public JobExtras withFairKey(String fairKey) {
        return with(FAIR_KEY, List.of(ClaimKeys.checkFairKey(fairKey)));
    }

    /** Returns the labels, in alphabetical order. */
    public List<String> labels() {
        return values(LABEL);
    }

    /** Tells whether the job has this label. */
    public boolean hasLabel(String label) {
        return lines.contains(labelLine(label));
    }

    /** Returns the line for this label in the text of a job's extras, without the line break. */
    public static String labelLine(String label) {
        return LABEL + " " + ExtraText.escaped(label);
    }

    /**
     * Returns a copy with one more label.
     *
     * @throws IllegalArgumentException if there are already {@value #MAX_LABELS} other labels
     */
    public JobExtras withLabel(String label) {
        checkLabel(label);
        SortedSet<String> all = new TreeSet<>(labels());
        all.add(label);
        if (all.size() > MAX_LABELS) {
            throw new IllegalArgumentException(
                    "Invalid label '%s': must be one of at most %d labels of a job, which has %s; leave one out."
                            .formatted(label, MAX_LABELS, labels()));
        }
        return with(LABEL, List.copyOf(all));
    }

    /** Refuses a label that is too long, blank or not printable. */
    public static String checkLabel(String label) {
        Stated.notNull(label, "label", "must be a short text such as customer:42; leave it out for none");
        return ExtraText.check("label", label, MAX_LABEL_LENGTH, "customer:42");
    }

    /** Returns the name of the job's group, or {@code null}. */
    public @Nullable String groupName() {
        return first(GROUP);
    }

    /** Returns the job's group, or {@code null}. */
    public @Nullable GroupRef group() {
        String name = first(GROUP);
        String id = name == null ? null : first(GROUP_ID);
        return name == null || id == null ? null : new GroupRef(UUID.fromString(id), name);
    }

    /** Reads the group from the text of a row; {@code null} if there is none. */
    public static @Nullable GroupRef groupOf(@Nullable String text) {
        return text == null || !text.contains(GROUP_ID) ? null : parse(text).group();
    }

    /** Returns the line that names this group in the extras of each member. */
    public static String groupLine(String name) {
        return GROUP + " " + ExtraText.escaped(name);
    }

    /** Returns a copy with the name of a group. The id of the group is not known yet. */
    public JobExtras withGroupName(String name) {
        return with(GROUP, List.of(name));
    }

    /** Returns a copy with this group. If the argument is {@code null}, the copy has no group. */
    public JobExtras withGroup(@Nullable GroupRef group) {
        return group == null
                ? with(GROUP, List.of()).with(GROUP_ID, List.of())
                : with(GROUP, List.of(group.name()))
                        .with(GROUP_ID, List.of(group.id().toString()));
    }

    /** Returns the name of the group that the job follows, or {@code null}. */
    public @Nullable String followsGroup() {
        return first(FOLLOWS_GROUP);
    }

    /** Returns a copy for a job that follows this group. */
    public JobExtras followingGroup(String name) {
        return with(FOLLOWS_GROUP, List.of(name));
    }

    /** Returns the result of a finished job, as its handler's payload codec wrote it, or {@code null}. */
    public @Nullable String result() {
        return first(RESULT);
    }

    /** Returns why the result of a finished job was not kept, or {@code null}. */
    public @Nullable String resultMissing() {
        return first(RESULT_MISSING);
    }

    /** Returns a copy with this result. */
    public JobExtras withResult(String result) {
        return withoutResult().with(RESULT, List.of(result));
    }

    /** Returns a copy with the reason why the result was not kept. */
    public JobExtras withResultMissing(String reason) {
        return withoutResult().with(RESULT_MISSING, List.of(reason));
    }

    /** Returns a copy without a result and without the reason for a missing result. */
    public JobExtras withoutResult() {
        return with(RESULT, List.of()).with(RESULT_MISSING, List.of());
    }

    /** Returns the newest lines that a handler of the job has logged, or {@code null}. */
    public @Nullable JobLog log() {
        String value = first(LOG);
        return value == null ? null : JobLog.parse(value);
    }

    /** Returns a copy with this log. If {@code log} is {@code null}, the copy has no log. */
    public JobExtras withLog(@Nullable JobLog log) {
        return with(LOG, log == null ? List.of() : List.of(log.toText()));
    }

    /**
     * Returns a copy with the attributes that the caller has stated. Attributes that delayjob has added are left out.
     */
    public JobExtras asStated() {
        return withoutResult()
                .withLog(null)
                .with(GROUP_ID, List.of())
                .with(FAIR_KEY, List.of())
                .with(KEEP, List.of());
    }

    /**
     * Returns the later jobs of the chain that have no row yet, in order. If this version of delayjob cannot read one
     * of these jobs, the list ends before that job.
     */
    public List<ChainStep> steps() {
        List<ChainStep> steps = new ArrayList<>();
        for (String line : values(THEN)) {
            ChainStep step = ChainStep.parse(line);
            if (step == null) {
                break;
            }
            steps.add(step);
        }
        return List.copyOf(steps);
    }

    /** Returns a copy with these jobs as the later jobs of the chain, in this order. */
    public JobExtras withSteps(List<ChainStep> steps) {
        return with(
                THEN,
                IntStream.range(0, steps.size())
                        .mapToObj(i -> steps.get(i).toText(i + 1))
                        .toList());
    }

    /** Returns a copy in which the given step replaces the next job of the chain. */
    public JobExtras withFirstStep(ChainStep step) {
        List<String> then = new ArrayList<>(values(THEN));
        then.set(0, step.toText(1));
        return with(THEN, then);
    }

    /** Returns the id of the previous job in the chain, or {@code null}. */
    public @Nullable JobId follows() {
        String value = first(FOLLOWS);
        return value == null ? null : JobId.parse(value);
    }

    /** Returns the next job in the chain. {@code null} if no next job was written when this job ended. */
    public @Nullable ChainFollower follower() {
        String value = first(FOLLOWER);
        return value == null ? null : ChainFollower.parse(value);
    }

    JobExtras followedBy(NewJob follower) {
        return with(THEN, List.of())
                .with(FOLLOWER, List.of(new ChainFollower(follower.id(), follower.name()).toText()));
    }

    /** Keeps the lines of all later jobs, even lines that this version of delayjob cannot read. */
    JobExtras ofFollower(JobId ended) {
        List<String> then = values(THEN);
        return NONE.with(FAIR_KEY, values(FAIR_KEY))
                .with(LABEL, labels())
                .withGroup(group())
                .with(FOLLOWS, List.of(ended.toString()))
                .with(THEN, then.subList(1, then.size()));
    }

    /** Returns a copy without the chain. */
    public JobExtras withoutChain() {
        return with(THEN, List.of()).with(FOLLOWS, List.of()).with(FOLLOWER, List.of());
    }

    private @Nullable String first(String name) {
        List<String> values = values(name);
        return values.isEmpty() ? null : values.get(0);
    }

    private List<String> values(String name) {
        if (lines.isEmpty()) {
            // Most jobs have no extras, and each attempt calls this method, so this check comes first.
            return List.of();
        }
        String start = name + " ";
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> ExtraText.unescaped(line.substring(start.length())))
                .toList();
    }

    private JobExtras with(String name, List<String> values) {
        String start = name + " ";
        List<String> changed =
                lines.stream().filter(line -> !line.startsWith(start)).collect(Collectors.toCollection(ArrayList::new));
        values.forEach(value -> changed.add(start + ExtraText.escaped(value)));
        Collections.sort(changed);
        return new JobExtras(changed);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobExtras extras && lines.equals(extras.lines);
    }

    @Override
    public int hashCode() {
        return lines.hashCode();
    }

    @Override
    public String toString() {
        return "JobExtras" + lines;
    }
}
