package io.delayjob.job;

/** The job that follows an ended job in its chain. The name is the handler's name. */
public record ChainFollower(JobId id, String name) {

    static ChainFollower parse(String text) {
        int space = text.indexOf(' ');
        return new ChainFollower(JobId.parse(text.substring(0, space)), text.substring(space + 1));
    }

    String toText() {
        return id + " " + name;
    }
}
