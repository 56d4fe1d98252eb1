package io.delayjob.rest;

/** The authorities that callers of the REST API can have. No authority implies another authority. */
enum Authority {
    SUBMIT("delayjob:submit"),
    READ("delayjob:read"),
    CHANGE("delayjob:change"),
    ANSWER("delayjob:answer");

    private final String text;

    Authority(String text) {
        this.text = text;
    }

    /** Spring Security adds {@code SCOPE_} to the scopes of access tokens, and {@code ROLE_} to the roles of users. */
    boolean isGrantedBy(String authority) {
        return authority.equals(text) || authority.equals("SCOPE_" + text) || authority.equals("ROLE_" + text);
    }

    @Override
    public String toString() {
        return text;
    }
}
