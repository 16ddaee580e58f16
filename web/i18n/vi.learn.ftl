# Các bài học.

nav-learn = Học chơi
learn-title = Học chơi
learn-lead = Những bài học ngắn, bước nào bạn cũng tự tay làm. Số sao được lưu trong trình duyệt này.
learn-progress = { $done }/{ $all }
learn-steps = Các bước
learn-hint = Gợi ý
learn-again = Làm lại
learn-next = Bước tiếp
learn-next-chapter = Chương tiếp
learn-finish = Tất cả bài học
learn-go-on = Tốt. Tiếp tục.
learn-right = Đúng rồi!
learn-stars =
    { $stars ->
        *[other] { $stars }/3 sao
    }
learn-hand = Bài trên tay bạn:
learn-trick = Vòng đang đánh:
learn-player = Người thứ { $number }
learn-do-select = Kiểm tra
learn-do-play = Đánh
learn-do-bury = Úp
learn-do-declare = Gọi chủ
learn-throw = đánh gộp
learn-defenders-rise =
    { $levels ->
        *[other] Phe thủ lên { $levels } cấp
    }
learn-attackers-rise =
    { $levels ->
        [0] Phe công thắng, không lên cấp
        *[other] Phe công thắng và lên { $levels } cấp
    }

learn-why-nobody = Bạn không có quân ở đó.
learn-why-range = { $pieces } không đến được { $square }: không cùng đường hoặc quá xa.
learn-why-terrain = { $pieces } không đứng được ở { $square }: sai địa hình.
learn-why-no-stack = Các quân này không ghép thành chồng được.
learn-why-river = { $pieces } không qua sông ở đó được.
learn-why-air-defence = Vùng phòng không của địch chặn đường đến { $square }.
learn-why-blocked = Có quân cản trên đường đến { $square }.
learn-why-attacked = Khi đó Tư lệnh của bạn có thể bị bắt.
learn-why-exposed = Khi đó hai Tư lệnh sẽ đối mặt nhau.

learn-miss-reach = Chưa được: { $pieces } phải ở { $square }.
learn-miss-stack = Chưa được: { $square } phải có đúng { $pieces }.
learn-miss-capture = Quân địch ở { $square } vẫn còn.
learn-miss-by-move = Mục tiêu là một nước đi thường.
learn-miss-by-capture = Mục tiêu là ăn thế chỗ.
learn-miss-by-strike = Mục tiêu là bắn tại chỗ.
learn-miss-by-kamikaze = Mục tiêu là tấn công cảm tử.
learn-miss-by-combine = Mục tiêu là ghép hai quân.
learn-miss-by-deploy = Mục tiêu là triển khai.
learn-miss-heroic = { $pieces } phải thành anh hùng ở { $square }.
learn-miss-check = Chưa phải là chiếu.
learn-miss-mate = Chiếu, nhưng chưa hết: { $turn } đỡ được.
learn-miss-no-mate = Chưa phải là chiếu.
learn-miss-better = Hợp lệ, nhưng có nước hay hơn nhiều.
learn-miss-missing = Còn thiếu: { $cards }.
learn-miss-extra = Những lá không nên chọn: { $cards }.
learn-miss-shape = Được phép, nhưng đề bài cần: { $kind }.
learn-miss-loses = Được phép, nhưng không thắng vòng này.
learn-miss-wins = Được phép, nhưng không nên thắng vòng này.
learn-miss-few-points = Được phép, nhưng bạn có thể dồn nhiều điểm hơn: ít nhất { $points }.
learn-miss-points = Như vậy là cho đối phương { $points } điểm.
learn-miss-keep = Đừng úp bài mạnh: { $cards }.
learn-miss-not-void = Bạn vẫn còn { $suit }: hãy úp hết.
learn-miss-choice = Chưa đúng.

learn-round = Ván có hướng dẫn
learn-round-lead = Bạn cầm cái; bạn và đồng đội ngồi đối diện là phe thủ. Hãy úp tám lá rồi đánh cả ván với máy; mỗi lượt đều có nhận xét.
learn-attackers-points = Phe công: { $points } điểm
learn-last-trick = Vòng vừa rồi:
learn-seat-0 = Bạn
learn-seat-1 = Đối thủ kế tiếp
learn-seat-2 = Đồng đội
learn-seat-3 = Đối thủ kia
learn-coach-bury-safe = Tốt: bài nọc không có điểm.
learn-coach-bury-points = Bạn đã úp { $points } điểm: phe công được nhân đôi hoặc hơn nếu thắng vòng cuối.
learn-coach-best = Cách đánh hay nhất.
learn-coach-good = Đánh tốt.
learn-coach-inaccuracy = { $cards } hay hơn, trung bình khoảng { $loss } điểm.
learn-coach-mistake = Sai lầm: { $cards } hay hơn, trung bình khoảng { $loss } điểm.
