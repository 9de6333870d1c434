package githubtest

var (
	readCode   = []string{"contents:read"}
	writeCode  = []string{"contents:write"}
	readPulls  = []string{"pull_requests:read"}
	writePulls = []string{"pull_requests:write"}
	readCheck  = []string{"checks:read"}
	writeCheck = []string{"checks:write"}
	readJobs   = []string{"actions:read"}
	// A conversation goes by either permission if it is a pull request's.
	readTalk  = []string{"issues:read", "pull_requests:read"}
	writeTalk = []string{"issues:write", "pull_requests:write"}
)

// routes are all operations that the stand-in has. Whoever adds one runs
// go generate in package contract. The first that fits a request serves it.
var routes = []route{
	{"GET /app", byApp, nil, getApp},
	{"POST /app-manifests/{code}/conversions", anyone, nil, convertManifest},
	{"GET /user", byPerson, nil, getUser},
	{"GET /user/installations", byPerson, nil, listUserInstallations},
	{"GET /user/installations/{installation_id}/repositories", byPerson, nil, listUserRepositories},
	{"GET /app/hook/deliveries", byApp, nil, listDeliveries},
	{"GET /app/hook/deliveries/{delivery_id}", byApp, nil, getDelivery},
	{"POST /app/hook/deliveries/{delivery_id}/attempts", byApp, nil, redeliver},
	{"GET /app/installations", byApp, nil, listInstallations},
	{"GET /app/installations/{installation_id}", byApp, nil, getInstallation},
	{"POST /app/installations/{installation_id}/access_tokens", byApp, nil, createToken},
	{"GET /repos/{owner}/{repo}/installation", byApp, nil, getRepositoryInstallation},
	{"GET /installation/repositories", byToken, nil, listInstallationRepositories},
	{rateLimitRoute, byToken, nil, getRateLimit},

	{"GET /repos/{owner}/{repo}", inRepository, nil, getRepository},
	{"GET /repos/{owner}/{repo}/collaborators/{username}/permission", inRepository, nil, getPermission},
	{"GET /repos/{owner}/{repo}/rules/branches/{branch...}", inRepository, nil, listRules},

	{"GET /repos/{owner}/{repo}/contents/{path...}", inRepository, readCode, getContents},
	{"PUT /repos/{owner}/{repo}/contents/{path...}", inRepository, writeCode, putContents},
	{"GET /repos/{owner}/{repo}/commits", inRepository, readCode, listCommits},
	{"GET /repos/{owner}/{repo}/compare/{basehead...}", inRepository, readCode, compare},

	{"GET /repos/{owner}/{repo}/git/ref/{ref...}", inRepository, readCode, getRef},
	{"POST /repos/{owner}/{repo}/git/refs", inRepository, writeCode, createRef},
	{"PATCH /repos/{owner}/{repo}/git/refs/{ref...}", inRepository, writeCode, updateRef},
	{"DELETE /repos/{owner}/{repo}/git/refs/{ref...}", inRepository, writeCode, deleteRef},
	{"GET /repos/{owner}/{repo}/git/trees/{tree_sha}", inRepository, readCode, getTree},
	{"POST /repos/{owner}/{repo}/git/trees", inRepository, writeCode, createTree},
	{"GET /repos/{owner}/{repo}/git/blobs/{file_sha}", inRepository, readCode, getBlob},
	{"POST /repos/{owner}/{repo}/git/blobs", inRepository, writeCode, createBlob},
	{"GET /repos/{owner}/{repo}/git/commits/{commit_sha}", inRepository, readCode, getGitCommit},
	{"POST /repos/{owner}/{repo}/git/commits", inRepository, writeCode, createCommit},

	{"GET /repos/{owner}/{repo}/pulls", inRepository, readPulls, listPulls},
	{"POST /repos/{owner}/{repo}/pulls", inRepository, writePulls, createPull},
	{"GET /repos/{owner}/{repo}/pulls/{pull_number}", inRepository, readPulls, getPull},
	{"PATCH /repos/{owner}/{repo}/pulls/{pull_number}", inRepository, writePulls, updatePull},
	{"GET /repos/{owner}/{repo}/pulls/{pull_number}/commits", inRepository, readPulls, listPullCommits},
	{"GET /repos/{owner}/{repo}/pulls/{pull_number}/files", inRepository, readPulls, listPullFiles},
	{"GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", inRepository, readPulls, listPullComments},
	{"GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", inRepository, readPulls, listReviews},
	{"GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}", inRepository, readPulls, getReview},
	{"GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments", inRepository, readPulls, listReviewComments},
	{"GET /repos/{owner}/{repo}/pulls/comments/{comment_id}", inRepository, readPulls, getReviewComment},
	{"POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions", inRepository, writePulls, reactToReviewComment},
	{"GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", inRepository, readPulls, listCommitPulls},

	{"GET /repos/{owner}/{repo}/issues/{issue_number}/comments", inRepository, readTalk, listComments},
	{"POST /repos/{owner}/{repo}/issues/{issue_number}/comments", inRepository, writeTalk, createComment},
	{"GET /repos/{owner}/{repo}/issues/{issue_number}/timeline", inRepository, readTalk, timeline},
	{"GET /repos/{owner}/{repo}/issues/comments/{comment_id}", inRepository, readTalk, getComment},
	{"PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", inRepository, writeTalk, updateComment},
	{"DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", inRepository, writeTalk, deleteComment},
	{"POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", inRepository, writeTalk, reactToComment},

	{"POST /repos/{owner}/{repo}/check-runs", inRepository, writeCheck, createCheck},
	{"GET /repos/{owner}/{repo}/check-runs/{check_run_id}", inRepository, readCheck, getCheck},
	{"PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", inRepository, writeCheck, updateCheck},
	{"GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations", inRepository, readCheck, listAnnotations},
	{"GET /repos/{owner}/{repo}/commits/{ref...}/check-runs", inRepository, readCheck, listChecks},
	{"GET /repos/{owner}/{repo}/actions/jobs/{job_id}", inRepository, readJobs, getJob},
	{"GET /repos/{owner}/{repo}/commits/{ref...}", inRepository, readCode, getCommit},
}
